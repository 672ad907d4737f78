// The system token's USD price at minute boundaries of block time, from one of three sources. Fixed prices and oracle
// points depend only on the blocks; servers' quotes depend on the time of the request and are stored in the database.
import type { TimePoint } from '../../core/antelope/time-point.ts'
import { parseUsdPrice, USD_PRICE_DIGITS, type UsdPrice } from '../../core/price/token-price.ts'
import type { UsdSourceOptions } from './options.ts'

export interface UsdFact {
  /** Null when there is no price. */
  usd: UsdPrice | null
  source: string | null
}

export const NO_USD: UsdFact = { usd: null, source: null }

/** A row of ledger.oracle_points, as projected or as read. */
export interface OraclePoint {
  blockNum: number
  /** Unix milliseconds. */
  blockTime: number
  pointId: bigint
  /** Unix milliseconds. */
  pointTime: TimePoint
  median: bigint
}

export interface Quote {
  /** Unix milliseconds. */
  quotedAt: number
  usd: string
  source: string
}

/** Time from a quote's request until it is used, ms: by then every process can read it. */
export const QUOTE_DELAY = 60_000

export interface UsdSource {
  /** @param minute  start of a minute, Unix milliseconds; all oracle points of blocks before it must have been noted */
  at(minute: number): UsdFact
}

class FixedUsd implements UsdSource {
  private readonly fact: UsdFact

  constructor(usd: UsdPrice) {
    this.fact = { usd, source: 'fixed' }
  }

  at(): UsdFact {
    return this.fact
  }
}

/** The median of the newest oracle point of a pair. Points may come in any order within a block. */
export class OracleUsd implements UsdSource {
  private readonly options: UsdSourceOptions & { kind: 'oracle' }
  private readonly source: string
  newest: OraclePoint | null = null

  constructor(options: UsdSourceOptions & { kind: 'oracle' }) {
    this.options = options
    this.source = `${options.contract} ${options.pair}`
  }

  note(row: OraclePoint & { pair: string; contract: string }): void {
    if (row.pair !== this.options.pair || row.contract !== this.options.contract) return
    if (this.newest === null || isNewer(row, this.newest)) this.newest = row
  }

  at(minute: number): UsdFact {
    const { newest } = this
    const { decimals, maxAge } = this.options
    if (newest === null || newest.median === 0n || minute - newest.blockTime > maxAge) return NO_USD
    return { usd: newest.median * 10n ** BigInt(USD_PRICE_DIGITS - decimals), source: this.source }
  }
}

function isNewer(point: OraclePoint, than: OraclePoint): boolean {
  if (point.blockNum !== than.blockNum) return point.blockNum > than.blockNum
  if (point.pointTime.ms !== than.pointTime.ms) return point.pointTime.ms > than.pointTime.ms
  return point.pointId > than.pointId
}

/** The newest quote that is at least QUOTE_DELAY and at most `maxAge` old. */
export class QuotedUsd implements UsdSource {
  readonly maxAge: number
  /** Ordered by time. */
  quotes: readonly Quote[] = []

  constructor({ maxAge }: { maxAge: number }) {
    this.maxAge = maxAge
  }

  at(minute: number): UsdFact {
    const quote = this.quotes.findLast(({ quotedAt }) => quotedAt <= minute - QUOTE_DELAY)
    if (!quote || minute - quote.quotedAt > this.maxAge) return NO_USD
    return { usd: parseUsdPrice(quote.usd), source: quote.source }
  }
}

const NO_SOURCE: UsdSource = { at: () => NO_USD }

export function usdSource(options: UsdSourceOptions | null): UsdSource {
  switch (options?.kind) {
    case 'fixed':
      return new FixedUsd(options.usd)
    case 'oracle':
      return new OracleUsd(options)
    case 'http':
      return new QuotedUsd(options)
    default:
      return NO_SOURCE
  }
}
