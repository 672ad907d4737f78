// Reads stored candles: what the statements in sql.ts answer, as values.
import type { MarkRow } from '../snapshot.ts'
import type { Bar } from './fill.ts'

/** Members that both kinds of candles have; times in Unix seconds, prices and volumes as stored. */
export interface SpanRow extends MarkRow {
  first: number
  last: number
  carry: string | null
  bars: string | null
}

/** The text of `bars`, one by one; prices stay text, since equal ones look the same. */
export function* readBars(text: string | null): Generator<Bar<string, string>> {
  if (text === null) return
  let at = 0
  const next = () => {
    const end = text.indexOf(' ', at)
    const field = end === -1 ? text.slice(at) : text.slice(at, end)
    at = end === -1 ? text.length : end + 1
    return field
  }
  while (at < text.length) {
    yield { time: Number(next()) * 1000, open: next(), high: next(), low: next(), close: next(), volume: next() }
  }
}
