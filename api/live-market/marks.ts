// The block in which the data of an answer last changed.
import type { BlockMark, LivePool, MarketState } from './model.ts'

/** The later of two blocks. */
export function later(a: BlockMark, b: BlockMark): BlockMark {
  return b.block > a.block ? b : a
}

/** Last change of a token's price or score, or of the lists of scams and trusted tokens. */
export function tokenMark({ changed }: MarketState, token: string): BlockMark {
  const own = changed.tokens.get(token)
  return own === undefined ? changed.everything : later(own, changed.everything)
}

/** Last change of a pool, or of its tokens' prices. */
export function poolMark(state: MarketState, pool: LivePool): BlockMark {
  return later(pool.changed, later(tokenMark(state, pool.a.id), tokenMark(state, pool.b.id)))
}

/** Last change of the list of all pools. A price changes only when a pool changes. */
export function poolsMark({ changed }: MarketState): BlockMark {
  return later(changed.pools, changed.everything)
}

/** Last change of the list of all tokens. */
export function tokensMark(state: MarketState): BlockMark {
  return later(poolsMark(state), state.changed.tokenSet)
}
