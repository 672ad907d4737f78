// One step of a subscriber: from the block that it has to a later one of the followed branch, in one snapshot.
import type { Pool, PoolClient } from 'pg'
import type { FactRow } from '../facts.ts'
import type { Place } from './cursor.ts'
import { ANCESTRY, FACTS, HEADERS, POSITION } from './sql.ts'

/** Limit of blocks of a step. */
const MAX_BLOCKS = 100
/** Limit of blocks above the head in a cursor: a server that is further ahead does not exist, but other chains do. */
const MAX_AHEAD = 1000

export interface StepBlock extends Place {
  /** Unix milliseconds. */
  time: number
  facts: Omit<FactRow, 'isFinal'>[]
}

export interface Step {
  /** Blocks of the subscriber that a fork replaced, newest first. */
  undone: Place[]
  /** The last block that the subscriber and the followed branch share. */
  shared: Place
  /** Blocks after it, oldest first. */
  blocks: StepBlock[]
  /** Last irreversible block. */
  lib: number
}

/** A subscriber's block that cannot be found: it has to start again. */
export class UnknownCursor extends Error {}

/**
 * @param from   block that the subscriber has; null: the newest block of the mode
 * @param final  whether only irreversible blocks are wanted
 * @returns null when the chain has no block of the mode yet @throws UnknownCursor
 */
export async function readStep(pool: Pool, chain: string, from: Place | null, final: boolean): Promise<Step | null> {
  return await inSnapshot(pool, async (client) => {
    const { rows } = await client.query<Place & { lib: number }>(named('position', POSITION, [chain]))
    const [head] = rows
    if (head === undefined) return null
    const last = final ? Math.min(head.lib, head.num) : head.num
    const found = from === null ? await startAt(client, chain, last) : await sharedWith(client, chain, from, head.num)
    if (found === null) return null
    const { undone, shared } = found
    const upTo = Math.min(last, shared.num + MAX_BLOCKS)
    const blocks = upTo <= shared.num ? [] : await readBlocks(client, chain, shared.num, upTo)
    return { undone, shared, blocks, lib: head.lib }
  })
}

/** @returns null while the block is older than the indexed history */
async function startAt(client: PoolClient, chain: string, num: number) {
  const { rows } = await client.query<Place>(named('headers', HEADERS, [chain, num - 1, num]))
  const [shared] = rows
  return shared === undefined ? null : { undone: [], shared: { num: shared.num, id: shared.id } }
}

/** A block a little above the head that no fork replaced is from a server that is ahead: it will come. */
async function sharedWith(client: PoolClient, chain: string, from: Place, head: number) {
  const { num, id } = from
  const values = [chain, num, Buffer.from(id, 'hex')]
  const { rows } = await client.query<Place & { stands: boolean }>(named('ancestry', ANCESTRY, values))
  const shared = rows.find(({ stands }) => stands)
  if (shared === undefined && rows.length === 1 && num > head && num <= head + MAX_AHEAD)
    return { undone: [], shared: from }
  if (shared === undefined) throw new UnknownCursor(`block ${num} with the id ${id} is not known`)
  return { undone: rows.filter(({ stands }) => !stands), shared: { num: shared.num, id: shared.id } }
}

async function readBlocks(client: PoolClient, chain: string, after: number, upTo: number): Promise<StepBlock[]> {
  const { rows: headers } = await client.query<Place & { time: number }>(
    named('headers', HEADERS, [chain, after, upTo]),
  )
  const blocks = new Map(headers.map((header): [number, StepBlock] => [header.num, { ...header, facts: [] }]))
  const [first, last] = [headers[0], headers.at(-1)]
  if (first === undefined || last === undefined) return []
  const times = [first, last].map(({ time }) => new Date(time).toISOString())
  const values = [chain, first.num, last.num, ...times]
  const { rows } = await client.query<Omit<FactRow, 'isFinal'>>(named('facts', FACTS, values))
  for (const fact of rows) blocks.get(fact.blockNum)?.facts.push(fact)
  return [...blocks.values()]
}

/** Prepared once in each connection: planning a union of all datasets takes longer than reading the facts of a block. */
const named = (name: string, text: string, values: unknown[]) => ({ name: `stream-${name}`, text, values })

async function inSnapshot<T>(pool: Pool, read: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin isolation level repeatable read read only')
    const result = await read(client)
    await client.query('commit')
    return result
  } catch (error) {
    broken = error as Error
    if (error instanceof UnknownCursor) await client.query('rollback').then(() => (broken = undefined))
    throw error
  } finally {
    client.release(broken)
  }
}
