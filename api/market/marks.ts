// Since when answers are what they are.
import type { BlockMark, LivePool, MarketState } from './model.ts'

/** The later of two blocks. */
export function later(one: BlockMark, other: BlockMark): BlockMark {
  return other.block > one.block ? other : one
}

/** Since when a token's price, score and lists are what they are. */
export function tokenMark({ changed }: MarketState, token: string): BlockMark {
  const own = changed.tokens.get(token)
  return own === undefined ? changed.everything : later(own, changed.everything)
}

/** Since when everything that is said of a pool is what it is, prices of its tokens included. */
export function poolMark(state: MarketState, pool: LivePool): BlockMark {
  return later(pool.changed, later(tokenMark(state, pool.a.id), tokenMark(state, pool.b.id)))
}

/** Since when the list of all pools is what it is. A price changes only when a pool does. */
export function poolsMark({ changed }: MarketState): BlockMark {
  return later(changed.pools, changed.everything)
}

/** Since when the list of all tokens is what it is. */
export function tokensMark(state: MarketState): BlockMark {
  return later(poolsMark(state), state.changed.tokenSet)
}
