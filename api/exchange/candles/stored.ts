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

const FIELDS = 6

/** The text of `bars`: prices stay text, since equal ones look the same. */
export function readBars(text: string | null): Bar<string, string>[] {
  if (text === null) return []
  const fields = text.split(' ')
  const bars = new Array<Bar<string, string>>(fields.length / FIELDS)
  for (let i = 0, at = 0; i < bars.length; i++, at += FIELDS) {
    bars[i] = {
      time: Number(fields[at]) * 1000,
      open: fields[at + 1] as string,
      high: fields[at + 2] as string,
      low: fields[at + 3] as string,
      close: fields[at + 4] as string,
      volume: fields[at + 5] as string,
    }
  }
  return bars
}
