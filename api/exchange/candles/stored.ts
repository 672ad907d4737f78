// Reads stored candles: what the statements in sql.ts answer. Thousands of prices stay where they are in the text: a
// candle says where each of them begins.
import type { MarkRow, Queryable, Statement } from '../snapshot.ts'
import { nextField, wholeAt } from './fields.ts'
import { type Bar, fillGaps } from './fill.ts'
import type { Resolution } from './resolution.ts'
import { type CandleRange, mostBuckets } from './span.ts'

/** Members that both kinds of candles have; times in Unix seconds, prices and volumes as stored. */
export interface SpanRow extends MarkRow {
  first: number
  last: number
  carry: string | null
  bars: string | null
}

/** A candle whose prices and volume are places in a text. */
export type StoredBar = Bar<number, number>

export interface StoredBars {
  source: Uint8Array
  /** Without holes. The volume of a bucket in which nothing traded is `QUIET`. */
  bars: Iterable<StoredBar>
}

export const QUIET = -1

/** From so many buckets on, two connections read one half each at the same time. */
const HALVED_FROM = 1000
const HALVES = [
  [0, 0.5],
  [0.5, 1],
] as const

/**
 * Reads a span of candles, as of one block.
 *
 * @param statement  for a part of the span, the last but one of its parameters
 * @returns null when the chain is not indexed
 */
export async function readSpan<Row extends SpanRow>(
  database: Queryable,
  range: CandleRange,
  statement: (part: readonly [from: number, to: number]) => Statement,
): Promise<Row | null> {
  if (mostBuckets(range) >= HALVED_FROM) {
    const halves = await Promise.all(HALVES.map((half) => database.query<Row>(statement(half))))
    const [older, newer] = halves.map(({ rows }) => rows[0])
    if (older === undefined || newer === undefined) return null
    if (older.atId === newer.atId) {
      const bars =
        older.bars !== null && newer.bars !== null ? `${older.bars} ${newer.bars}` : (older.bars ?? newer.bars)
      return { ...newer, bars }
    }
    // A block has come between the two.
  }
  const { rows } = await database.query<Row>(statement([0, 1]))
  return rows[0] ?? null
}

/** The candles of a row from its first bucket to its last. */
export function storedBars({ bars, first, last, carry }: SpanRow, resolution: Resolution): StoredBars {
  const stored = bars === null ? '' : `${bars} `
  const end = stored.length
  const source = Buffer.from(carry === null ? stored : `${stored}${carry} `, 'latin1')
  const range = { resolution, first: first * 1000, last: last * 1000, carry: carry === null ? null : end }
  return { source, bars: fillGaps(readBars(source, end), range, QUIET) }
}

function* readBars(source: Uint8Array, end: number): Generator<StoredBar> {
  for (let at = 0; at < end; ) {
    const open = nextField(source, at)
    const high = nextField(source, open)
    const low = nextField(source, high)
    const close = nextField(source, low)
    const volume = nextField(source, close)
    yield { time: wholeAt(source, at) * 1000, open, high, low, close, volume }
    at = nextField(source, volume)
  }
}
