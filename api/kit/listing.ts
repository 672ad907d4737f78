// The aggregators' ids of the exchange's tokens.
import type { TokenRef } from '../live-market/model.ts'

export interface Listing {
  /** Id of a token on the aggregator; null when it does not list it. */
  aggregatorId(tokenId: string): number | null
}

/** `BASE-TARGET` when the aggregator lists both tokens, else null. */
export function globalTickerId(listing: Listing, base: TokenRef, target: TokenRef): string | null {
  const listed = listing.aggregatorId(base.id) !== null && listing.aggregatorId(target.id) !== null
  return listed ? `${base.symbol}-${target.symbol}` : null
}
