// The range of trades that a request selects.

export type TradeSide = 'buy' | 'sell'

export interface TradeRange {
  /** Side of the trades; both if absent. */
  type?: TradeSide
  /** Start of the range, inclusive, Unix milliseconds. */
  from?: number
  /** End of the range, exclusive, Unix milliseconds. */
  before?: number
  /** Limit: the newest trades of the range. */
  limit: number
}

/** Latest time that both JavaScript and PostgreSQL can hold. */
const LATEST = Date.UTC(9999, 11, 31)

/** A time range as parameters of `block_time >= … and block_time < …`. */
export function timeParameters({ from, before }: Pick<TradeRange, 'from' | 'before'>): [string, string] {
  return [from === undefined ? '-infinity' : timestamp(from), before === undefined ? 'infinity' : timestamp(before)]
}

/** A time as text for PostgreSQL, clamped to the supported range. */
function timestamp(at: number): string {
  return new Date(Math.min(Math.max(at, 0), LATEST)).toISOString()
}
