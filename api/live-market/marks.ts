// Block of the last change of the data of an answer.
import type { BlockMark, LivePool, MarketState } from './model.ts'

/** The later of two blocks. */
export function later(one: BlockMark, other: BlockMark): BlockMark {
  return other.block > one.block ? other : one
}

/** Last change of a token's price, score or lists. */
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
