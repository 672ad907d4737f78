// Recomputes every pool from the ledger's log actions by the contract's exact arithmetic, and compares it.
import type { ClientBase } from 'pg'
import { type CheckReport, Findings } from '../report.ts'
import { POOL_IDS } from '../sql.ts'
import { comparePool } from './compare-pool.ts'
import { type PoolEvent, poolEvents } from './pool-events.ts'
import { PoolModel } from './pool-model.ts'
import { readStoredPool } from './stored-pool.ts'

/**
 * @param reader  reads current rows while `client` streams events; both in the same snapshot
 * @param isComplete  whether the history begins with the chain's first blocks
 */
export async function checkAmm(
  client: ClientBase,
  reader: ClientBase,
  chain: string,
  isComplete: boolean,
): Promise<CheckReport> {
  const findings = new Findings('amm')
  const { rows } = await reader.query<{ id: string }>(POOL_IDS, [chain])
  const unseen = new Set(rows.map(({ id }) => BigInt(id)))
  for await (const [poolId, model] of pools(client, chain)) {
    unseen.delete(poolId)
    if (!model) {
      findings.note(`pool ${poolId} was created before the history begins and cannot be recomputed`)
      continue
    }
    const stored = await readStoredPool(reader, chain, poolId)
    if (stored) comparePool(model, stored, findings)
    else findings.note(`pool ${poolId} is gone from the contract's table: its removal leaves no log`)
  }
  for (const poolId of unseen) {
    if (isComplete) findings.differ(`state.pools ${poolId}`, 'no row: the ledger has no event of it', 'a row')
    else findings.note(`pool ${poolId} was created before the history begins and cannot be recomputed`)
  }
  return findings.finish()
}

/** Pools one after another; null for a pool whose creation is not in the ledger. */
async function* pools(client: ClientBase, chain: string): AsyncGenerator<[poolId: bigint, model: PoolModel | null]> {
  let current = null as { poolId: bigint; model: PoolModel | null } | null
  for await (const event of poolEvents(client, chain)) {
    if (current?.poolId !== event.poolId) {
      if (current) yield [current.poolId, current.model]
      current = { poolId: event.poolId, model: created(event) }
    } else current.model?.apply(event)
  }
  if (current) yield [current.poolId, current.model]
}

function created(event: PoolEvent): PoolModel | null {
  return event.type === 'created' ? new PoolModel(event) : null
}
