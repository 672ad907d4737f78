// What the ledger has still to be told, or asked for, of withdrawals that have ended at their destination: `settle` says
// what became of one, `refund` gives an expired one back to its owner.
import type { WithdrawalFacts } from './facts.ts'
import { withdrawalKey } from './key.ts'
import { withdrawalStanding } from './leg-state.ts'
import type { Snapshot } from './lists.ts'
import { chainAt, transactionAt, unixSeconds } from './parties.ts'
import { readWithdrawals } from './read-legs.ts'
import type { Settlement } from './schema.ts'
import { UNSETTLED } from './sql.ts'
import { type BridgeWorld, gatewayOf, playing } from './world.ts'

/**
 * @param open  withdrawals without a final end, as they were read already
 * @returns oldest first, at most so many
 */
export async function settlementsOf(
  { database, world }: Snapshot,
  open: readonly WithdrawalFacts[],
  most: number,
): Promise<Settlement[]> {
  const values = [world.ledger, most]
  type Row = { id: string; expired: boolean }
  const { rows } = await database.query<Row>({ name: 'bridge-unsettled', text: UNSETTLED, values })
  const known = new Set(open.map(({ id }) => String(id)))
  const others = rows.filter(({ id }) => !known.has(id)).map(({ id }) => BigInt(id))
  const expired = new Set(rows.filter((row) => row.expired).map(({ id }) => BigInt(id)))
  const all = [...open, ...(await readWithdrawals(database, world, others))]
  return all
    .flatMap((facts) => settlementOf(facts, world, expired.has(facts.id)) ?? [])
    .sort((one, other) => one.src_time - other.src_time)
    .slice(0, most)
}

/**
 * @param isExpired  whether the ledger's table keeps it as expired
 * @returns null where nothing is to be said, or what happened at the destination may still be taken back
 */
function settlementOf(facts: WithdrawalFacts, world: BridgeWorld, isExpired: boolean): Settlement | null {
  const { id, domain, burn, outcomes, settlements, owner } = facts
  const step = {
    ...{ key: withdrawalKey(id), id: String(id), domain: String(domain), chain: chainAt(world, domain).id },
    ...{ owner, src_time: unixSeconds(burn.time) },
  }
  const { status, by } = withdrawalStanding(facts)
  if (status === 'refunded') return null
  if (isExpired || settlements.length > 0) {
    const contract = playing(world, world.ledger, 'bridge')[0] ?? null
    return status === 'released' ? null : { ...step, action: 'refund', contract, released: null, tx: null }
  }
  const outcome = outcomes.find((one) => one === by)
  if (outcome === undefined || outcome.block > (world.positions.get(outcome.chain)?.lib ?? 0)) return null
  const contract = gatewayOf(world, domain)
  return { ...step, action: 'settle', contract, released: outcome.released, tx: transactionAt(domain, outcome.trx) }
}
