// Which tokens are on the scam lists, looked up once a block.
import type { BlockMark, MarketState, TokenRef } from '../market/model.ts'

const states = new WeakMap<MarketState, { at: BlockMark; scams: ReadonlySet<string> }>()

/** Tells whether none of some tokens is a scam; null when scams are not left out, or when there are none. */
export function cleanliness(
  state: MarketState,
  hide: boolean | undefined,
): ((...tokens: TokenRef[]) => boolean) | null {
  if (hide !== true) return null
  const { scams } = scamsOf(state)
  return scams.size === 0 ? null : (...tokens) => !tokens.some(({ id }) => scams.has(id))
}

function scamsOf(state: MarketState): { scams: ReadonlySet<string> } {
  const known = states.get(state)
  if (known?.at === state.at) return known
  const ids = [...state.tokens.keys()].filter((id) => state.prices.rules.isScam(id, state.at.time))
  const found = { at: state.at, scams: new Set(ids) }
  states.set(state, found)
  return found
}
