// Hides tokens on the scam lists. The tokens are found once for each block.
import { VersionedCache } from '../../core/cache.ts'
import type { MarketState, TokenRef } from '../live-market/model.ts'

const cache = new VersionedCache<MarketState, ReadonlySet<string>>()

/** Returns a check that none of the given tokens is a scam; null if scams are not to be hidden, or there are none. */
export function scamFilter(state: MarketState, hide: boolean | undefined): ((...tokens: TokenRef[]) => boolean) | null {
  if (hide !== true) return null
  const scams = cache.get(state, state.at, null, () => scamsOf(state))
  return scams.size === 0 ? null : (...tokens) => !tokens.some(({ id }) => scams.has(id))
}

function scamsOf(state: MarketState): ReadonlySet<string> {
  return new Set([...state.tokens.keys()].filter((id) => state.prices.rules.isScam(id, state.at.time)))
}
