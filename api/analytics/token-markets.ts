// Pools and order-book markets of a token, sorted by value or volume. A token may be in thousands of pools; such lists
// are updated with the market.
import { type ListOf, listPieces } from '../lists/live-list.ts'
import { touchedPairs, touchedPools } from '../lists/touched.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { LiveBook, LivePool, MarketState, TokenRef } from '../live-market/model.ts'
import { usdNumber } from '../live-market/rolling.ts'
import { Json } from './answer.ts'
import type { WindowName } from './chart.ts'
import { NO_FACTS, ROLLING } from './facts.ts'
import { pairJson, poolJson } from './item-json.ts'
import { poolTvl } from './pool-item.ts'
import { scamFilter } from './scam-filter.ts'

/** Size from which lists are updated with the market. */
const LIVE_FROM = 200

/** @param manyFrom  size from which a list is updated with the market */
export function tokenMarkets(
  market: LiveMarket,
  state: MarketState,
  window: WindowName,
  { id }: TokenRef,
  hideScam: boolean | undefined,
  manyFrom = LIVE_FROM,
): { pools: Json; spotPairs: Json } {
  const key = `of ${id} ${window} ${hideScam === true}`
  const listOf = <Item extends { id: number }>(of: ListOf<number, Item>, items: ReadonlySet<Item> | undefined) =>
    items === undefined || items.size < manyFrom
      ? listOnce(state, of, items)
      : new Json(...listPieces(market, state, of))
  return {
    pools: listOf(poolsOf(`analytics pools ${key}`, id, window, hideScam), state.poolsOf.get(id)),
    spotPairs: listOf(pairsOf(`analytics pairs ${key}`, id, window, hideScam), state.booksOf.get(id)),
  }
}

function poolsOf(key: string, token: string, window: WindowName, hideScam?: boolean): ListOf<number, LivePool> {
  return {
    key,
    items: ({ pools }) => pools,
    rank(state, pool) {
      const { a, b } = pool
      if (a.id !== token && b.id !== token) return null
      return scamFilter(state, hideScam)?.(a, b) === false ? null : [-poolTvl(state, pool), pool.id]
    },
    json: (state, pool) => poolJson(state, NO_FACTS, window, pool, { tx: true }),
    touched: touchedPools,
  }
}

function pairsOf(key: string, token: string, window: WindowName, hideScam?: boolean): ListOf<number, LiveBook> {
  return {
    key,
    items: ({ books }) => books,
    rank(state, { id, base, target, volumes }) {
      if (base.id !== token && target.id !== token) return null
      if (scamFilter(state, hideScam)?.(base, target) === false) return null
      return [-usdNumber(volumes[ROLLING[window]].usd), id]
    },
    json: (state, book) => pairJson(state, window, book),
    touched: touchedPairs,
  }
}

/** Makes a small list at once. */
function listOnce<Item>(state: MarketState, { rank, json }: ListOf<number, Item>, items: Iterable<Item> = []): Json {
  const ranked = [...items].flatMap((item) => {
    const own = rank(state, item) as [number, number] | null
    return own === null ? [] : [{ item, own }]
  })
  ranked.sort(({ own: x }, { own: y }) => x[0] - y[0] || x[1] - y[1])
  return Json.list(ranked.map(({ item }) => json(state, item)))
}
