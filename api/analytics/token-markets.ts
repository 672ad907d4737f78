// Pools and order-book markets of a token, those with most value and volume first. A token that most pools trade has
// thousands: their list is kept up with the market.
import { listPieces } from '../lists/live-list.ts'
import { touchedPools } from '../lists/touched.ts'
import type { LiveMarket } from '../market/live-market.ts'
import type { LiveBook, LivePool, MarketState, TokenRef } from '../market/model.ts'
import { usdNumber } from '../market/rolling.ts'
import { Json } from './answer.ts'
import type { WindowName } from './chart.ts'
import { cleanliness } from './clean.ts'
import type { Facts } from './facts.ts'
import { pairJson, poolJson } from './item-json.ts'
import { poolTvl } from './pool-item.ts'
import { rankedPairs } from './ranked-lists.ts'

/** From so many pools on. */
const MANY = 200

export function tokenMarkets(
  market: LiveMarket,
  state: MarketState,
  facts: Facts,
  window: WindowName,
  { id }: TokenRef,
  hideScam: boolean | undefined,
): { pools: Json; spotPairs: Json } {
  const isClean = cleanliness(state, hideScam)
  const pools = state.poolsOf.get(id) ?? new Set<LivePool>()
  const books = state.booksOf.get(id) ?? new Set<LiveBook>()
  const keepPool = ({ a, b }: LivePool) => isClean === null || isClean(a, b)
  const keepBook = ({ base, target }: LiveBook) => isClean === null || isClean(base, target)
  const byVolume =
    books.size < MANY
      ? greatestFirst([...books], (book) => usdNumber(facts.volume(book).usd))
      : rankedPairs(market, state, facts, 'volume', window, 'desc').some(books)
  return {
    pools:
      pools.size < MANY
        ? few(state, facts, window, [...pools].filter(keepPool))
        : many(market, state, facts, window, id, hideScam),
    spotPairs: Json.list(byVolume.filter(keepBook).map((book) => pairJson(state, window, book))),
  }
}

function few(state: MarketState, facts: Facts, window: WindowName, pools: readonly LivePool[]): Json {
  const byValue = greatestFirst(pools, (pool) => poolTvl(state, pool))
  return Json.list(byValue.map((pool) => poolJson(state, facts, window, pool, { tx: true })))
}

function many(
  market: LiveMarket,
  state: MarketState,
  facts: Facts,
  window: WindowName,
  token: string,
  hideScam: boolean | undefined,
): Json {
  const list = listPieces<number, LivePool>(market, state, {
    key: `analytics ${token} ${window} ${hideScam === true}`,
    items: ({ pools }) => pools,
    rank(now, pool) {
      const { a, b } = pool
      if (a.id !== token && b.id !== token) return null
      if (cleanliness(now, hideScam)?.(a, b) === false) return null
      return [-poolTvl(now, pool), pool.id]
    },
    json: (now, pool) => poolJson(now, facts, window, pool, { tx: true }).bytes(),
    touched: touchedPools,
  })
  return new Json(...list)
}

function greatestFirst<Item extends { id: number }>(items: readonly Item[], key: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, key: key(item) }))
    .sort((x, y) => y.key - x.key || x.item.id - y.item.id)
    .map(({ item }) => item)
}
