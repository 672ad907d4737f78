// Where the indexed history of a chain begins: an answer about older times would be silent, not empty.
import type { Queryable } from './snapshot.ts'

export interface HistoryStart {
  /** First indexed block. */
  block: number
  /** Its time, Unix milliseconds; null when its header is not stored. */
  time: number | null
}

/** $1: chain. */
const HISTORY_START = `
  select p.first_block::float8 as block, date_part('epoch', f.block_time) * 1000 as time
  from meta.position p left join lateral (select b.block_time from ledger.blocks b
    where b.chain = $1 and b.block_num >= p.first_block order by b.block_num limit 1) f on true
  where p.chain = $1`

/** @returns null when the chain is not indexed */
export async function historyStart(database: Queryable, chain: string): Promise<HistoryStart | null> {
  const { rows } = await database.query<HistoryStart>({ name: 'history-start', text: HISTORY_START, values: [chain] })
  return rows[0] ?? null
}

/** Sentence for an answer that found nothing. */
export function startText(start: HistoryStart | null): string {
  if (start === null) return 'no block is indexed yet'
  const time = start.time === null ? '' : ` (${new Date(start.time).toISOString()})`
  return `the indexed history begins with block ${start.block}${time}`
}
