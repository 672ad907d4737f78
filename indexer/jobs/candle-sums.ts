// Candles of a range's trades, in one pass: those of a minute when it is over, and from them each higher resolution when
// its bucket is over. The same sums as `meta.refresh_candles` makes from the ledger.
import { bucketStart, RESOLUTIONS, type Resolution } from '../../core/candles/resolution.ts'
import type { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { DecimalNumber } from '../store/copy/numeric.ts'

export interface CandleTrade {
  kind: 'amm' | 'spot'
  market: bigint
  blockNum: number
  /** Order within the block. */
  globalSeq: number
  price: bigint
  /** Raw units, not negative. */
  base: bigint
  target: bigint
  /** Undefined when it is not known. */
  usd: DecimalNumber | undefined
}

interface Candle {
  kind: 'amm' | 'spot'
  market: bigint
  open: bigint
  high: bigint
  low: bigint
  close: bigint
  base: bigint
  target: bigint
  /** Of a known value, with `scale` decimals. */
  usd: bigint
  scale: number
  trades: number
  withoutUsd: number
}

/** A candle of a minute with the places of its first and last trade. */
interface MinuteCandle extends Candle {
  firstBlock: number
  firstSeq: number
  lastBlock: number
  lastSeq: number
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
  candles: Record<'amm' | 'spot', Map<bigint | number, T>>
}

interface CandleBuffers {
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

  /** Adds a trade of the minute. The object may be used again for the next trade. */
  add(trade: CandleTrade): void {
    const { kind, market, blockNum, globalSeq, price, base, target, usd } = trade
    const candles = this.minute.candles[kind]
    const key = keyOf(market)
    const candle = candles.get(key)
    if (candle === undefined) {
      candles.set(key, first(trade))
      return
    }
    if (price > candle.high) candle.high = price
    if (price < candle.low) candle.low = price
    if (blockNum > candle.lastBlock || (blockNum === candle.lastBlock && globalSeq > candle.lastSeq)) {
      candle.lastBlock = blockNum
      candle.lastSeq = globalSeq
      candle.close = price
    } else if (blockNum < candle.firstBlock || (blockNum === candle.firstBlock && globalSeq < candle.firstSeq)) {
      candle.firstBlock = blockNum
      candle.firstSeq = globalSeq
      candle.open = price
    }
    candle.base += base
    candle.target += target
    candle.trades++
    if (usd === undefined) candle.withoutUsd++
    else {
      candle.usd += usd.units
      candle.scale = usd.scale
    }
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
    buffer.numeric(candle.open)
    buffer.numeric(candle.high)
    buffer.numeric(candle.low)
    buffer.numeric(candle.close)
    buffer.numeric(candle.base)
    buffer.numeric(candle.target)
    if (candle.withoutUsd === candle.trades) buffer.null()
    else buffer.numeric(new DecimalNumber(candle.usd, candle.scale))
    buffer.int8(candle.trades)
    buffer.int8(candle.withoutUsd)
  }
}

function emptyLevel<T extends Candle>(): Level<T> {
  return { bucket: Number.NaN, candles: { amm: new Map(), spot: new Map() } }
}

/** Ids are small, and maps of numbers are faster than those of bigints. */
function keyOf(market: bigint): bigint | number {
  return market <= Number.MAX_SAFE_INTEGER && market >= 0 ? Number(market) : market
}

function first({ kind, market, blockNum, globalSeq, price, base, target, usd }: CandleTrade): MinuteCandle {
  return {
    kind,
    market,
    open: price,
    high: price,
    low: price,
    close: price,
    base,
    target,
    usd: usd === undefined ? 0n : usd.units,
    scale: usd === undefined ? 0 : usd.scale,
    trades: 1,
    withoutUsd: usd === undefined ? 1 : 0,
    firstBlock: blockNum,
    firstSeq: globalSeq,
    lastBlock: blockNum,
    lastSeq: globalSeq,
  }
}

/** Adds a candle to that of a higher resolution. Candles of a market arrive in the order of time. */
function merge(candles: Map<bigint | number, Candle>, next: Candle): void {
  const key = keyOf(next.market)
  const candle = candles.get(key)
  if (candle === undefined) {
    const { kind, market, open, high, low, close, base, target, usd, scale, trades, withoutUsd } = next
    candles.set(key, { kind, market, open, high, low, close, base, target, usd, scale, trades, withoutUsd })
    return
  }
  if (next.high > candle.high) candle.high = next.high
  if (next.low < candle.low) candle.low = next.low
  candle.close = next.close
  candle.base += next.base
  candle.target += next.target
  candle.usd += next.usd
  candle.scale = Math.max(candle.scale, next.scale)
  candle.trades += next.trades
  candle.withoutUsd += next.withoutUsd
}
