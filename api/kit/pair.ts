// Order-book markets as pairs, and the ids of their tickers.
import type { LiveBook, TokenRef } from '../live-market/model.ts'

export interface PairToken {
  id: string
  contract: string
  symbol: string
  precision: number
}

export interface SpotPair {
  ticker_id: string
  base: PairToken
  target: PairToken
}

/** `<base token id>_<target token id>`. */
export function tickerId(base: TokenRef, target: TokenRef): string {
  return `${base.id}_${target.id}`
}

export function spotPair({ base, target }: Pick<LiveBook, 'base' | 'target'>): SpotPair {
  return { ticker_id: tickerId(base, target), base: pairToken(base), target: pairToken(target) }
}

export function pairToken({ id, contract, symbol, decimals }: TokenRef): PairToken {
  return { id, contract, symbol, precision: decimals }
}
