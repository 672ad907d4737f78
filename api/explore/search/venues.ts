// Tokens, pools and markets that a search names, from the market in memory.
import { poolsFound, tokensFound } from '../../kit/search.ts'
import { percentText } from '../../kit/texts.ts'
import { worthOf } from '../../kit/worth.ts'
import type { LiveBook, LivePool, MarketState, TokenRef } from '../../live-market/model.ts'
import { SCORE, type Weighed } from './found.ts'
import type { SearchQuery } from './query.ts'

/** Pool fees are hundredths of a basis point; those of markets hundredths of a percent. */
const [POOL_FEE_DECIMALS, BOOK_FEE_DECIMALS] = [4, 2]

/** Everything of the market that a search names, unsorted. */
export function venuesFound(state: MarketState, chain: string, query: SearchQuery): Weighed[] {
  const make = makers(state, chain)
  const found = new Map<string, Weighed>()
  const add = (result: Weighed) => {
    const key = `${result.kind} ${result.id}`
    if ((found.get(key)?.score ?? 0) < result.score) found.set(key, result)
  }
  const pool = query.pool === null ? undefined : state.pools.get(query.pool)
  if (pool !== undefined) add(make.pool(pool, numberScore(query)))
  const book = query.market === null ? undefined : state.books.get(query.market)
  if (book !== undefined) add(make.book(book, numberScore(query)))
  const [first, second] = query.words
  if (first === undefined || query.words.length > 2) return [...found.values()]
  if (second !== undefined) {
    for (const foundPool of poolsFound(state, `${first} ${second}`) ?? [])
      add(make.pool(foundPool, pairScore(foundPool.a, foundPool.b, [first, second])))
    for (const foundBook of booksOf(state, first)) {
      const { base, target } = foundBook
      if (isPair(foundBook, first, second)) add(make.book(foundBook, pairScore(base, target, [first, second])))
    }
    return [...found.values()]
  }
  for (const token of tokensFound(state, first)) {
    const score = tokenScore(token, first)
    add(make.token(token, score))
    const venueScore = score >= SCORE.tokenSymbol ? SCORE.venueOfToken : SCORE.venuePart
    for (const tokenPool of state.poolsOf.get(token.id) ?? []) add(make.pool(tokenPool, venueScore))
    for (const tokenBook of state.booksOf.get(token.id) ?? []) add(make.book(tokenBook, venueScore))
  }
  return [...found.values()]
}

/** `pool:5` names a pool alone; `5` may be of several kinds. */
function numberScore({ words }: SearchQuery): number {
  return words.length === 0 ? SCORE.id : SCORE.number
}

function tokenScore({ id, symbol, contract }: TokenRef, word: string): number {
  if (id === word) return SCORE.tokenId
  if (symbol.toLowerCase() === word) return SCORE.tokenSymbol
  if (contract === word) return SCORE.tokenContract
  if (id.startsWith(word)) return SCORE.symbolStart
  return contract.startsWith(word) ? SCORE.contractStart : SCORE.tokenPart
}

function pairScore(a: TokenRef, b: TokenRef, [first, second]: [string, string]): number {
  const is = ({ id, symbol }: TokenRef, word: string) => id === word || symbol.toLowerCase() === word
  return (is(a, first) && is(b, second)) || (is(a, second) && is(b, first)) ? SCORE.pair : SCORE.pairPart
}

const idContains = ({ id }: TokenRef, word: string) => id.includes(word)

function isPair({ base, target }: LiveBook, first: string, second: string): boolean {
  return (
    (idContains(base, first) && idContains(target, second)) || (idContains(base, second) && idContains(target, first))
  )
}

function booksOf(state: MarketState, word: string): Set<LiveBook> {
  return new Set([...tokensFound(state, word)].flatMap(({ id }) => [...(state.booksOf.get(id) ?? [])]))
}

function makers(state: MarketState, chain: string) {
  const worth = worthOf(state)
  return {
    token: (token: TokenRef, score: number): Weighed => ({
      kind: 'token',
      id: token.id,
      chain,
      label: token.symbol,
      detail: token.contract,
      score,
      final: null,
      weight:
        token.id === state.prices.systemToken.id ? Infinity : Number(state.prices.byToken.get(token.id)?.width ?? 0),
    }),
    pool: (pool: LivePool, score: number): Weighed => ({
      kind: 'pool',
      id: String(pool.id),
      chain,
      label: `${pool.a.symbol}/${pool.b.symbol}`,
      detail: `pool ${pool.id}, fee ${percentText(pool.fee, POOL_FEE_DECIMALS)} %`,
      score,
      final: null,
      weight: worth.poolUsd(pool),
    }),
    book: (book: LiveBook, score: number): Weighed => ({
      kind: 'market',
      id: String(book.id),
      chain,
      label: `${book.base.symbol}/${book.target.symbol}`,
      detail: `order book ${book.id}, fee ${percentText(book.fee, BOOK_FEE_DECIMALS)} %`,
      score,
      final: null,
      weight: 0,
    }),
  }
}
