// Candles as JSON, written as bytes: an answer has thousands, and nothing in them needs escaping.
import { UNIT_PRICE_DECIMALS } from '../numbers.ts'
import { AsciiWriter } from './ascii-writer.ts'
import { writeNumber } from './fields.ts'
import { priceWriter } from './price-text.ts'
import { QUIET, type StoredBars } from './stored.ts'

/** More than a candle takes. */
const ROOM = 1024

export interface PoolCandleForm {
  decimalsA: number
  decimalsB: number
  /** True: prices of B in A. */
  reverse: boolean
  volumeDecimals: number
}

/** Candles of a pool: prices are texts of 16 significant digits. */
export function poolCandlesJson(stored: StoredBars, form: PoolCandleForm): Buffer {
  const { source } = stored
  const { reverse, volumeDecimals } = form
  const out = new AsciiWriter()
  const price = priceWriter(form.decimalsA, form.decimalsB, reverse, out)
  return jsonOf(
    stored,
    out,
    volumeDecimals,
    (name, start) => {
      out.text(name)
      out.text('"')
      price(source, start)
      out.text('"')
    },
    reverse,
  )
}

/** Candles of an order-book market: prices are numbers, target per base. */
export function spotCandlesJson(stored: StoredBars, targetDecimals: number): Buffer {
  const out = new AsciiWriter()
  return jsonOf(
    stored,
    out,
    targetDecimals,
    (name, start) => {
      out.text(name)
      writeNumber(stored.source, start, UNIT_PRICE_DECIMALS, out)
    },
    false,
  )
}

/** @param price  writes a member of that name and the price at a place @param reverse  whether the highest is the lowest */
function jsonOf(
  { source, bars }: StoredBars,
  out: AsciiWriter,
  volumeDecimals: number,
  price: (name: string, start: number) => void,
  reverse: boolean,
): Buffer {
  let separator = '['
  for (const { time, open, high, low, close, volume } of bars) {
    out.reserve(ROOM)
    out.text(separator)
    separator = ','
    out.text('{"time":')
    out.whole(time)
    price(',"open":', open)
    price(',"high":', reverse ? low : high)
    price(',"low":', reverse ? high : low)
    price(',"close":', close)
    out.text(',"volume":')
    if (volume === QUIET) out.text('0')
    else writeNumber(source, volume, volumeDecimals, out)
    out.text('}')
  }
  out.reserve(ROOM)
  out.text(separator === '[' ? '[]' : ']')
  return out.toBuffer()
}
