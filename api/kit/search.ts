// Search for tokens and pools: tokens whose id contains a word, then the pools that trade them.
import type { BlockMark, LivePool, MarketState, TokenRef } from '../live-market/model.ts'

/** Limit of cached words: they come from requests. */
const MAX_WORDS = 500

interface Words {
  /** Block of the last change of the set of tokens. */
  since: BlockMark
  /** Ids of all tokens, each between two line ends: one text is searched faster than thousands. */
  text: string
  found: Map<string, ReadonlySet<string>>
}

const states = new WeakMap<MarketState, Words>()

/** Ids of the tokens whose symbol, contract or id contains a word. @param word  in lower case */
function tokensNamed(state: MarketState, word: string): ReadonlySet<string> {
  const since = state.changed.tokenSet
  let words = states.get(state)
  if (words?.since !== since) {
    const text = `\n${[...state.tokens.keys()].join('\n')}\n`
    states.set(state, (words = { since, text, found: new Map() }))
  }
  let found = words.found.get(word)
  if (found === undefined) {
    // The id contains symbol and contract.
    found = linesWith(words.text, word)
    if (words.found.size >= MAX_WORDS) words.found.clear()
    words.found.set(word, found)
  }
  return found
}

/** The lines of a text that contain a word; each line is between two line ends. @param word  not empty */
function linesWith(text: string, word: string): Set<string> {
  const lines = new Set<string>()
  if (word.includes('\n')) return lines
  for (let at = text.indexOf(word); at !== -1; ) {
    const end = text.indexOf('\n', at)
    lines.add(text.slice(text.lastIndexOf('\n', at) + 1, end))
    at = text.indexOf(word, end)
  }
  return lines
}

/** The tokens that match a word. @param word  in lower case */
export function tokensFound(state: MarketState, word: string): ReadonlySet<TokenRef> {
  return new Set([...tokensNamed(state, word)].flatMap((id) => state.tokens.get(id) ?? []))
}

/**
 * The pools that match a search. Two words, or `A/B`, mean a pair; one word means either token or the pool's id.
 *
 * @param search  any case
 * @returns null for an empty search, which matches everything
 */
export function poolsFound(state: MarketState, search: string): ReadonlySet<LivePool> | null {
  const words = search
    .toLowerCase()
    .split(/[\s,/|]+/)
    .filter((word) => word !== '')
  const [first, second] = words
  if (first === undefined) return null
  const found = new Set<LivePool>()
  if (words.length > 2) return found
  const one = tokensNamed(state, first)
  if (second !== undefined) {
    const other = tokensNamed(state, second)
    const [fewer, more] = poolCount(state, one) < poolCount(state, other) ? [one, other] : [other, one]
    for (const token of fewer)
      for (const pool of state.poolsOf.get(token) ?? [])
        if (more.has(pool.a.id === token ? pool.b.id : pool.a.id)) found.add(pool)
    return found
  }
  for (const id of one) for (const pool of state.poolsOf.get(id) ?? []) found.add(pool)
  const own = /^\d{1,15}$/.test(first) ? state.pools.get(Number(first)) : undefined
  if (own !== undefined && String(own.id) === first) found.add(own)
  return found
}

function poolCount({ poolsOf }: MarketState, tokens: ReadonlySet<string>): number {
  let count = 0
  for (const id of tokens) count += poolsOf.get(id)?.size ?? 0
  return count
}
