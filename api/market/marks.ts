// Since when answers are what they are.
import type { BlockMark, LivePool, MarketState } from './model.ts'

/** The later of several blocks; there is at least one. */
export function latest(first: BlockMark, ...others: readonly BlockMark[]): BlockMark {
  return others.reduce((late, mark) => (mark.block > late.block ? mark : late), first)
}

/** Since when a token's price, score and lists are what they are. */
export function tokenMark({ changed }: MarketState, token: string): BlockMark {
  const own = changed.tokens.get(token)
  return own === undefined ? changed.everything : latest(own, changed.everything)
}

/** Since when everything that is said of a pool is what it is, prices of its tokens included. */
export function poolMark(state: MarketState, pool: LivePool): BlockMark {
  return latest(pool.changed, tokenMark(state, pool.a.id), tokenMark(state, pool.b.id))
}

/** Since when the list of all pools is what it is. A price changes only when a pool does. */
export function poolsMark({ changed }: MarketState): BlockMark {
  return latest(changed.pools, changed.everything)
}

/** Since when the list of all tokens is what it is. */
export function tokensMark(state: MarketState): BlockMark {
  return latest(poolsMark(state), state.changed.tokenSet)
}
