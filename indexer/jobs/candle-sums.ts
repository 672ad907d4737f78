// Candles of a range's trades, in one pass: those of a minute when it is over, and from them each higher resolution when
// its bucket is over. The same sums as `meta.refresh_candles` makes from the ledger.
import { bucketStart, RESOLUTIONS, type Resolution } from '../../core/candles/resolution.ts'
import type { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { DecimalNumber } from '../store/copy/numeric.ts'

/** A price, and the same as the value of a field of binary COPY. */
export interface CandlePrice {
  value: bigint
  field: Buffer
}

export interface CandleTrade {
  kind: 'amm' | 'spot'
  market: bigint
  /** Order within the block. */
  globalSeq: bigint
  blockNum: bigint
  price: CandlePrice
  /** Raw units, not negative. */
  base: bigint
  target: bigint
  /** Undefined when it is not known. */
  usd: DecimalNumber | undefined
}

interface Candle {
  kind: 'amm' | 'spot'
  market: bigint
  open: CandlePrice
  high: CandlePrice
  low: CandlePrice
  close: CandlePrice
  base: bigint
  target: bigint
  usd: DecimalNumber | undefined
  trades: number
  withoutUsd: number
}

/** A candle of a minute with the places of its first and last trade. */
interface MinuteCandle extends Candle {
  first: CandleTrade
  last: CandleTrade
}

/** Resolutions that are made from one. */
const HIGHER: Partial<Record<Resolution, readonly Resolution[]>> = {
  '1': ['5'],
  '5': ['15'],
  '15': ['30'],
  '30': ['60'],
  '60': ['240'],
  '240': ['1D'],
  '1D': ['1W', '1M'],
}

/** The open bucket of a resolution. */
interface Level<T extends Candle> {
  /** Unix milliseconds. */
  bucket: number
  candles: Record<'amm' | 'spot', Map<bigint, T>>
}

export interface CandleBuffers {
  /** Of buckets that begin in the range. */
  fresh: CopyBuffer
  /** Of buckets that may have trades of earlier ranges. */
  continued: CopyBuffer
}

export class CandleSums {
  private readonly chain: string
  private readonly begin: number
  private readonly minute: Level<MinuteCandle> = emptyLevel()
  private readonly levels = new Map<Resolution, Level<Candle>>()

  /** @param begin  time of the range's first block, Unix milliseconds */
  constructor(chain: string, begin: number) {
    this.chain = chain
    this.begin = begin
    for (const resolution of RESOLUTIONS) this.levels.set(resolution, emptyLevel())
    this.levels.set('1', this.minute)
  }

  /** Starts a minute. Writes the candles of the buckets that are over. */
  startMinute(minute: number, into: CandleBuffers): void {
    for (const resolution of RESOLUTIONS) {
      const bucket = bucketStart(resolution, minute)
      const level = this.levels.get(resolution) as Level<Candle>
      if (level.bucket !== bucket) this.close(resolution, into)
      level.bucket = bucket
    }
  }

  /** Adds a trade of the minute. */
  add(trade: CandleTrade): void {
    const { kind, market, price, base, target, usd } = trade
    const candles = this.minute.candles[kind]
    const candle = candles.get(market)
    if (!candle) {
      const prices = { open: price, high: price, low: price, close: price }
      const counts = { trades: 1, withoutUsd: usd === undefined ? 1 : 0 }
      candles.set(market, { kind, market, ...prices, base, target, usd, ...counts, first: trade, last: trade })
      return
    }
    widen(candle, price, price)
    if (follows(trade, candle.last)) {
      candle.last = trade
      candle.close = price
    } else if (follows(candle.first, trade)) {
      candle.first = trade
      candle.open = price
    }
    candle.base += base
    candle.target += target
    candle.usd = sum(candle.usd, usd)
    candle.trades++
    if (usd === undefined) candle.withoutUsd++
  }

  /** Writes all candles: the range is over. */
  end(into: CandleBuffers): void {
    for (const resolution of RESOLUTIONS) this.close(resolution, into)
  }

  private close(resolution: Resolution, into: CandleBuffers): void {
    const { bucket, candles } = this.levels.get(resolution) as Level<Candle>
    const buffer = bucket < this.begin ? into.continued : into.fresh
    const higher = (HIGHER[resolution] ?? []).map((name) => (this.levels.get(name) as Level<Candle>).candles)
    for (const kind of ['amm', 'spot'] as const) {
      for (const candle of candles[kind].values()) {
        this.write(candle, resolution, bucket, buffer)
        for (const level of higher) merge(level[kind], candle)
      }
      candles[kind].clear()
    }
  }

  private write(candle: Candle, resolution: Resolution, bucket: number, buffer: CopyBuffer): void {
    buffer.row(14)
    buffer.text(this.chain)
    buffer.text(candle.kind)
    buffer.int8(candle.market)
    buffer.text(resolution)
    buffer.timestamptz(bucket)
    for (const { field } of [candle.open, candle.high, candle.low, candle.close]) buffer.bytea(field)
    buffer.numeric(candle.base)
    buffer.numeric(candle.target)
    if (candle.usd === undefined) buffer.null()
    else buffer.numeric(candle.usd)
    buffer.int8(candle.trades)
    buffer.int8(candle.withoutUsd)
  }
}

function emptyLevel<T extends Candle>(): Level<T> {
  return { bucket: Number.NaN, candles: { amm: new Map(), spot: new Map() } }
}

/** Adds a candle to that of a higher resolution. Candles of a market arrive in the order of time. */
function merge(candles: Map<bigint, Candle>, next: Candle): void {
  const candle = candles.get(next.market)
  if (!candle) {
    const { kind, market, open, high, low, close, base, target, usd, trades, withoutUsd } = next
    candles.set(market, { kind, market, open, high, low, close, base, target, usd, trades, withoutUsd })
    return
  }
  widen(candle, next.high, next.low)
  candle.close = next.close
  candle.base += next.base
  candle.target += next.target
  candle.usd = sum(candle.usd, next.usd)
  candle.trades += next.trades
  candle.withoutUsd += next.withoutUsd
}

function widen(candle: Candle, high: CandlePrice, low: CandlePrice): void {
  if (high.value > candle.high.value) candle.high = high
  if (low.value < candle.low.value) candle.low = low
}

function follows(trade: CandleTrade, other: CandleTrade): boolean {
  return trade.blockNum === other.blockNum ? trade.globalSeq > other.globalSeq : trade.blockNum > other.blockNum
}

/** The sum of known values; undefined when there is none. All have the same scale. */
function sum(a: DecimalNumber | undefined, b: DecimalNumber | undefined): DecimalNumber | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return new DecimalNumber(a.units + b.units, a.scale)
}
