// Which trades a request asks for.

export type TradeSide = 'buy' | 'sell'

export interface TradeRange {
  /** Only trades of this side. */
  type?: TradeSide
  /** Unix milliseconds: the first moment. */
  from?: number
  /** Unix milliseconds: the moment after the last. */
  before?: number
  /** How many: the newest of the range. */
  limit: number
}

/** Times that both JavaScript and PostgreSQL can hold. */
const LATEST = Date.UTC(9999, 11, 31)

/** The two ends of a range of times as parameters of `block_time >= … and block_time < …`. */
export function timeParameters({ from, before }: Pick<TradeRange, 'from' | 'before'>): [string, string] {
  return [from === undefined ? '-infinity' : timestamp(from), before === undefined ? 'infinity' : timestamp(before)]
}

/** A moment as PostgreSQL reads it; one that it cannot hold becomes the nearest that matters. */
export function timestamp(at: number): string {
  return new Date(Math.min(Math.max(at, 0), LATEST)).toISOString()
}
