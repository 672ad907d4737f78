// Pools and order-book markets as symbols of charts.

import { priceOfA, ratioToNumber } from '../../../core/amm/price.ts'
import { feePercent } from '../../../core/amm/q64.ts'
import { VersionedCache } from '../../../core/cache.ts'
import { findBook, poolsOfPair, splitTicker } from '../../kit/find.ts'
import { toNumber, UNIT_PRICE_DECIMALS } from '../../kit/numbers.ts'
import { worthOf } from '../../kit/worth.ts'
import type { LiveBook, LivePool, MarketState } from '../../live-market/model.ts'

type Exchange = 'amm' | 'spot'

export type Listed = { exchange: 'amm'; pool: LivePool } | { exchange: 'spot'; book: LiveBook }

export interface SymbolNames {
  /** Name shown in charts: `TLM/WAX`. */
  symbol: string
  /** Unique id of the symbol: `pool:0`, `market:3`. */
  ticker: string
  description: string
  exchange: Exchange
}

/**
 * Resolves a symbol: `pool:<id>`, `market:<id>`, or `<token id>_<token id>`, which is the order-book market, else the
 * most valuable active pool.
 */
export function findSymbol(state: MarketState, symbol: string): Listed | null {
  const text = symbol.toLowerCase()
  const [, kind, id] = /^(?:amm:|spot:)?(pool|market):(\d{1,15})$/.exec(text) ?? []
  if (kind === 'pool') return listedPool(state.pools.get(Number(id)))
  if (kind === 'market') return listedBook(state.books.get(Number(id)))
  const book = findBook(state, text)
  if (book !== null) return listedBook(book)
  const ids = splitTicker(text)
  if (ids === null) return null
  const pools = poolsOfPair(state, ...ids).filter(({ active, a }) => active && a.id === ids[0])
  return listedPool(pools.sort(worthOf(state).byValue)[0])
}

function listedPool(pool: LivePool | undefined): Listed | null {
  return pool === undefined ? null : { exchange: 'amm', pool }
}

function listedBook(book: LiveBook | undefined): Listed | null {
  return book === undefined ? null : { exchange: 'spot', book }
}

export function namesOf(listed: Listed): SymbolNames {
  if (listed.exchange === 'spot') {
    const { id, base, target } = listed.book
    const symbol = `${base.symbol}/${target.symbol}`
    return { symbol, ticker: `market:${id}`, description: `${symbol} order book`, exchange: 'spot' }
  }
  const { id, a, b, fee } = listed.pool
  const symbol = `${a.symbol}/${b.symbol}`
  const description = `${symbol} pool ${id}, ${feePercent(fee)}%`
  return { symbol, ticker: `pool:${id}`, description, exchange: 'amm' }
}

/** Price steps per unit, so that a step is the last of eight significant digits of the current price. */
export function priceScale(listed: Listed): number {
  const price = lastPrice(listed)
  if (!(price > 0)) return 10 ** UNIT_PRICE_DECIMALS
  return 10 ** Math.min(16, Math.max(0, 7 - Math.floor(Math.log10(price))))
}

function lastPrice(listed: Listed): number {
  if (listed.exchange === 'spot') return toNumber(listed.book.last ?? 0n, UNIT_PRICE_DECIMALS)
  const { a, b, sqrtPriceX64 } = listed.pool
  return ratioToNumber(priceOfA(sqrtPriceX64, a.decimals, b.decimals))
}

/** Currency of the trades: the token in which prices are quoted. */
export function currencyOf(listed: Listed): { symbol: string; decimals: number } {
  return listed.exchange === 'spot' ? listed.book.target : listed.pool.b
}

/**
 * Symbols whose names or token ids contain a text: order books first, then the most valuable pools.
 *
 * @param exchange  restricts the result to one exchange
 */
export function searchSymbols(
  state: MarketState,
  { query, exchange, limit }: { query: string; exchange?: string; limit: number },
): SymbolNames[] {
  const wanted = query.trim().toLowerCase()
  const found: SymbolNames[] = []
  for (const { names, text } of searchable(state)) {
    if (found.length >= limit) break
    if (exchange !== undefined && names.exchange !== exchange) continue
    if (text.includes(wanted)) found.push(names)
  }
  return found
}

interface Searchable {
  names: SymbolNames
  /** In lower case. */
  text: string
}

const cache = new VersionedCache<MarketState, Searchable[]>()

/** All tradable symbols with their search text; made once for each block. */
function searchable(state: MarketState): Searchable[] {
  return cache.get(state, state.at.id, null, () => everySymbol(state))
}

function everySymbol(state: MarketState): Searchable[] {
  const books = [...state.books.values()].filter(({ frozen }) => !frozen).sort((x, y) => x.id - y.id)
  const pools = [...state.pools.values()].filter(({ active }) => active).sort(worthOf(state).byValue)
  return [
    ...books.map((book) => entry({ exchange: 'spot', book }, book.base.id, book.target.id)),
    ...pools.map((pool) => entry({ exchange: 'amm', pool }, pool.a.id, pool.b.id)),
  ]
}

function entry(listed: Listed, x: string, y: string): Searchable {
  const names = namesOf(listed)
  return { names, text: `${names.description} ${names.ticker} ${x}_${y}`.toLowerCase() }
}
