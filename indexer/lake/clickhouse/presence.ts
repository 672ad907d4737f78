// Whether the rows of a range are in ClickHouse. A table remembers the tokens of its last inserts, of all chains
// together. So the tokens of a step that was begun long ago may be forgotten, and the rows are counted instead.
import { selectTotals } from './totals.ts'

/** Rows of a dataset in blocks of one day. Both ends are inclusive. */
export interface Range {
  chain: string
  dataset: string
  fromBlock: number
  toBlock: number
  /** Day of the blocks, UTC: `2026-03-09`. */
  date: string
}

/**
 * Counts the rows of the newest range of a chain, in the table and in its materialised views.
 *
 * @param rows  number of rows of the range
 * @returns `part` when the table has another number of them, or candles or day totals lack trades that the table has
 */
export async function presenceOf(
  query: (sql: string) => Promise<string>,
  { chain, dataset, fromBlock, toBlock, date }: Range,
  rows: number,
): Promise<'none' | 'part' | 'all'> {
  const count = await query(
    `select count() from ${dataset} where chain = '${chain}' and block_num between ${fromBlock} and ${toBlock} format TSV`,
  )
  const there = Number(count.trim())
  if (there !== 0 && there !== rows) return 'part'
  const sql = selectTotals(dataset, chain, date)
  if (sql !== null) {
    const [trades, inDays, priced, inCandles] = (await query(`${sql} format TSV`)).trim().split('\t')
    if (trades !== inDays || priced !== inCandles) return 'part'
  }
  return there === 0 ? 'none' : 'all'
}
