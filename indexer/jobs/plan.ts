// Cuts the blocks to backfill into ranges and queues them. Planning is idempotent.
import type pg from 'pg'
import type PgBoss from 'pg-boss'
import { UserError } from '../../core/errors.ts'
import { splitRange } from '../source/ranges.ts'
import type { BlockSource } from '../source/source.ts'
import { onConnection } from '../store/connection.ts'
import { openRangeQueue, type RangeJob } from './boss.ts'
import { FORGET_ORPHANED_RANGES, LOCK_PLAN, PLAN_RANGES, PLANNED_TO, POSITION } from './sql.ts'

export interface PlanOptions {
  chain: string
  databaseUrl: string
  /** First block when nothing is indexed. */
  startBlock: number
  /** Block whose deltas hold the whole state, as `IndexOptions.fullStateBlock`. */
  fullStateBlock?: number
  /** Finds the block of the full state when nothing is indexed. Must read from the workers' nodes. */
  source?: Pick<BlockSource, 'stateBlock'>
  /** Last block to plan. Must be irreversible on all nodes of the workers. */
  endBlock: number
  /** Blocks of a range. Default 20,000. */
  rangeBlocks?: number
  /** Seconds after which the range of a silent worker goes to another one. Default 1800. */
  expireSeconds?: number
}

export const EXPIRE_SECONDS = 1800

/**
 * @returns number of newly planned ranges
 * @throws UserError BACKFILL_ON_REVERSIBLE when the last indexed block is reversible; as `BlockSource.stateBlock`
 */
export async function planBackfill(boss: PgBoss, options: PlanOptions): Promise<number> {
  const { chain, databaseUrl, endBlock, rangeBlocks = 20_000, expireSeconds = EXPIRE_SECONDS } = options
  const queue = await openRangeQueue(boss, chain)
  return onConnection({ databaseUrl, name: 'plan', chain }, async (client) => {
    const opening = await openingOf(client, options)
    await client.query('begin')
    await client.query(LOCK_PLAN)
    await client.query(FORGET_ORPHANED_RANGES, [chain])
    const { from, startsChain } = await firstUnplanned(client, chain, opening.firstBlock)
    const ranges = splitRange({ from, to: endBlock }, rangeBlocks)
    const { rows } = await client.query<{ firstBlock: string; lastBlock: string }>(PLAN_RANGES, [
      chain,
      ranges.map((range) => range.from),
      ranges.map((range) => range.to),
      startsChain ? from : null,
      opening.stateBlock,
    ])
    const jobs = rows.map((row): RangeJob => {
      return { chain, firstBlock: Number(row.firstBlock), lastBlock: Number(row.lastBlock) }
    })
    if (jobs.length > 0) await sendRanges(boss, queue, jobs, client, expireSeconds)
    await client.query('commit')
    return jobs.length
  })
}

/** Largest value of the queue's priority, a signed integer of 32 bits. */
const MAX_PRIORITY = 2 ** 31 - 1

/** Queues ranges inside the caller's transaction, earliest blocks first. */
export async function sendRanges(
  boss: PgBoss,
  queue: string,
  jobs: readonly RangeJob[],
  client: pg.ClientBase,
  expireSeconds: number,
): Promise<void> {
  // Practically unlimited retries: without the range the chain cannot advance.
  const retries = { retryLimit: 1000, retryDelay: 2, expireInSeconds: expireSeconds }
  const inserts = jobs.map((job) => ({
    name: queue,
    data: job,
    priority: -Math.min(job.firstBlock, MAX_PRIORITY),
    ...retries,
  }))
  await boss.insert(inserts, { db: { executeSql: (text, values) => client.query(text, values) } })
}

/** Where the history of a chain starts if nothing is indexed. */
interface Opening {
  firstBlock: number
  /** Block whose deltas hold the whole state: `firstBlock` or its parent; null when there is none. */
  stateBlock: number | null
}

async function openingOf(client: pg.ClientBase, options: PlanOptions): Promise<Opening> {
  const { chain, startBlock, fullStateBlock, source } = options
  const { rows } = await client.query(POSITION, [chain])
  const configured = startBlock === fullStateBlock ? fullStateBlock : undefined
  if (!rows[0]) {
    const found = await source?.stateBlock?.(startBlock, configured, new AbortController().signal)
    if (typeof found === 'number') return { firstBlock: found + 1, stateBlock: found }
  }
  return { firstBlock: startBlock, stateBlock: configured ?? null }
}

interface Unplanned {
  /** First block that no range has. */
  from: number
  /** Whether nothing of the chain is indexed or planned. */
  startsChain: boolean
}

async function firstUnplanned(client: pg.ClientBase, chain: string, startBlock: number): Promise<Unplanned> {
  const { rows: planned } = await client.query(PLANNED_TO, [chain])
  if (planned[0]?.to) return { from: Number(planned[0].to) + 1, startsChain: false }
  const { rows } = await client.query(POSITION, [chain])
  if (!rows[0]) return { from: startBlock, startsChain: true }
  const [num, lib] = [Number(rows[0].num), Number(rows[0].lib)]
  if (num > lib)
    throw new UserError(
      'BACKFILL_ON_REVERSIBLE',
      `${chain}: the indexed blocks end with reversible ones (${lib} of ${num})`,
      {
        hint: 'index without workers until these blocks are irreversible, then plan again',
        place: { chain, block: num },
      },
    )
  return { from: num + 1, startsChain: false }
}
