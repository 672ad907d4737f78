// A vault numbers its deposits one after the other: a number that is missing between two is an event that was not read.
import type { ClientBase } from 'pg'
import { type CheckReport, Findings } from './report.ts'
import { NONCE_GAPS, VAULT_COUNT } from './sql.ts'

/** Null on a chain without vaults. */
export async function checkDeposits(client: ClientBase, chain: string): Promise<CheckReport | null> {
  const { rows: counted } = await client.query(VAULT_COUNT, [chain])
  if (!counted[0].isEvm) return null
  const findings = new Findings('deposits')
  findings.compared(Number(counted[0].count))
  const { rows } = await client.query(NONCE_GAPS, [chain])
  for (const { contract, expected, found, block } of rows)
    findings.differ(`deposit of ${contract} in block ${block}`, `nonce ${expected}`, `nonce ${found}`)
  return findings.finish()
}
