// Writes candles as JSON, separated by commas, directly as bytes: an answer has thousands, and nothing in them needs
// escaping.
import { UNIT_PRICE_DECIMALS } from '../numbers.ts'
import { AsciiWriter } from './ascii-writer.ts'
import { writeNumber } from './fields.ts'
import { priceWriter } from './price-text.ts'
import { QUIET, type StoredBar } from './stored.ts'

/** Upper bound of a candle's size, bytes. */
const ROOM = 1024

export interface PoolCandleForm {
  decimalsA: number
  decimalsB: number
  /** True: prices of B in A. */
  reverse: boolean
  volumeDecimals: number
}

/** Candles of a pool: prices are texts of 16 significant digits. */
export function poolCandlesJson(source: Uint8Array, bars: Iterable<StoredBar>, form: PoolCandleForm): Buffer {
  const { decimalsA, decimalsB, reverse } = form
  const out = new AsciiWriter()
  const writePrice = priceWriter(decimalsA, decimalsB, reverse, out)
  const price = (start: number) => {
    out.text('"')
    writePrice(source, start)
    out.text('"')
  }
  writeCandles(source, bars, { ...form, price }, out)
  return out.toBuffer()
}

/** Candles of an order-book market: prices are numbers, target per base. */
export function spotCandlesJson(source: Uint8Array, bars: Iterable<StoredBar>, targetDecimals: number): Buffer {
  const out = new AsciiWriter()
  const price = (start: number) => writeNumber(source, start, UNIT_PRICE_DECIMALS, out)
  writeCandles(source, bars, { price, reverse: false, volumeDecimals: targetDecimals }, out)
  return out.toBuffer()
}

interface Form {
  /** Writes the price that starts at `start`. */
  price(start: number): void
  /** Whether prices are inverted, so that the highest price becomes the lowest. */
  reverse: boolean
  volumeDecimals: number
}

function writeCandles(source: Uint8Array, bars: Iterable<StoredBar>, form: Form, out: AsciiWriter): void {
  const { price, reverse, volumeDecimals } = form
  let opening = '{"time":'
  for (const { time, open, high, low, close, volume } of bars) {
    out.reserve(ROOM)
    out.text(opening)
    opening = ',{"time":'
    out.whole(time)
    out.text(',"open":')
    price(open)
    out.text(',"high":')
    price(reverse ? low : high)
    out.text(',"low":')
    price(reverse ? high : low)
    out.text(',"close":')
    price(close)
    out.text(',"volume":')
    if (volume === QUIET) out.text('0')
    else writeNumber(source, volume, volumeDecimals, out)
    out.text('}')
  }
}
