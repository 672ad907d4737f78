// Whether tokens are on the scam lists, kept until prices or lists change.
import { Kept } from '../exchange/kept.ts'
import { tokenMark } from '../market/marks.ts'
import type { MarketState, TokenRef } from '../market/model.ts'

const scams = new Kept<TokenRef, boolean>()

/** Tells whether none of some tokens is a scam; null when scams are not left out. */
export function cleanliness(
  state: MarketState,
  hide: boolean | undefined,
): ((...tokens: TokenRef[]) => boolean) | null {
  if (hide !== true) return null
  return (...tokens) =>
    tokens.every((token) => !scams.of(token, tokenMark(state, token.id), '', () => state.prices.quote(token.id).isScam))
}
