// Checks that no deposit event is missing. A vault numbers its deposits consecutively, so a gap is an event that was
// not read. So is a deposit that another indexed chain has credited or parked, but whose event is missing here.
import type { ClientBase } from 'pg'
import { type CheckReport, Findings } from './report.ts'
import { NONCE_GAPS, UNSEEN_DEPOSITS, VAULT_COUNT } from './sql.ts'

/** Null on a chain without vaults. */
export async function checkDeposits(client: ClientBase, chain: string): Promise<CheckReport | null> {
  const { rows: counted } = await client.query(VAULT_COUNT, [chain])
  if (!counted[0].isEvm) return null
  const findings = new Findings('deposits')
  findings.compared(Number(counted[0].count))
  const { rows } = await client.query(NONCE_GAPS, [chain])
  for (const { contract, expected, found, block } of rows)
    findings.differ(`deposit of ${contract} in block ${block}`, `nonce ${expected}`, `nonce ${found}`)
  const { rows: unseen } = await client.query(UNSEEN_DEPOSITS, [chain])
  for (const { nonce, chain: ledger, block } of unseen)
    findings.differ(`deposit that block ${block} of ${ledger} names`, `nonce ${nonce}`, 'no event')
  return findings.finish()
}
