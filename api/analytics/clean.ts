// Whether tokens are on the scam lists, kept until prices or lists change.
import { Kept } from '../exchange/kept.ts'
import { tokenMark } from '../market/marks.ts'
import type { MarketState, TokenRef } from '../market/model.ts'

const scams = new Kept<TokenRef, boolean>()

/** @param hide  whether scams are left out; all tokens are clean enough when they are not */
export function cleanliness(state: MarketState, hide: boolean | undefined): (...tokens: TokenRef[]) => boolean {
  if (hide !== true) return () => true
  return (...tokens) =>
    tokens.every((token) => !scams.of(token, tokenMark(state, token.id), '', () => state.prices.quote(token.id).isScam))
}
