// Sums over the pools and order books of a chain and of each token, updated with each block by the difference. Exact
// integers. Results are as of the given state.
import { FEE_UNIT } from '../../core/amm/q64.ts'
import { SPOT_FEE_UNIT } from '../../core/book/fee.ts'
import { perObject } from '../../core/cache.ts'
import { touchedPools } from '../lists/touched.ts'
import type { Changes } from '../live-market/advance.ts'
import { anyBook } from '../live-market/index-tokens.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import { poolMark, tokenMark } from '../live-market/marks.ts'
import type { BlockMark, ClosedBook, LiveBook, LivePool, MarketState, TokenRef } from '../live-market/model.ts'
import { usdValueNumber } from '../live-market/pricing.ts'
import { usdNumber, type WindowName } from '../live-market/rolling.ts'
import { emptySums, Share, type Sums } from './shares.ts'

/** Amount of a token in open orders. */
interface Offered {
  token: TokenRef
  amount: bigint
  orders: number
  /** Block of the last change of the value; null when the value must be computed again. */
  valued: BlockMark | null
  value: bigint
  /** Orders of unknown value: none or all. */
  withoutUsd: number
}

/** Sums of one token. A trade counts with its full value for both of its tokens. */
interface TokenTotals {
  pools: number
  books: number
  /** Raw units in the pools. */
  reserve: bigint
  swaps: Sums
  deals: Sums
  /** Increased whenever a pool of the token, or its value, may have changed. */
  version: number
  /** Time when the token was first seen, Unix milliseconds; null when unknown until computed again. */
  createdAt: number | null
  /** The most valuable active pool; null when it must be found again. */
  best: Share<LivePool> | null
}

function emptyTotals(): TokenTotals {
  const sums = { swaps: emptySums(), deals: emptySums() }
  return { pools: 0, books: 0, reserve: 0n, ...sums, version: 0, createdAt: null, best: null }
}

/** Pools and books whose shares in the sums are outdated. */
interface Outdated {
  pools: Set<number>
  books: Set<number>
}

export class Totals {
  private readonly pools = new Map<number, Share<LivePool>>()
  private readonly books = new Map<number, Share<LiveBook | ClosedBook>>()
  private readonly swaps = emptySums()
  private readonly deals = emptySums()
  private readonly tokens = new Map<string, TokenTotals>()
  /** Value of all pools, USD times 10^8. */
  private inPools = 0n
  /** Value of all open orders, USD times 10^8. */
  private inOrders = 0n
  private poolsWithoutUsd = 0
  private ordersWithoutUsd = 0
  /** By token id. */
  private readonly offered = new Map<string, Offered>()
  /** Null if all are. */
  private outdated: Outdated | null = null
  /** Whether prices may have changed since the open orders were valued. */
  private repriced = false

  constructor(market: LiveMarket) {
    market.listen((state, changes) => this.note(state, changes))
  }

  /** Statistics of the chain in a window, without the users. Money in USD. */
  stats(state: MarketState, window: WindowName) {
    this.follow(state)
    const [swaps, deals] = [this.swaps[window], this.deals[window]]
    const [swapFees, spotFees] = [swaps.fees / FEE_UNIT, deals.fees / SPOT_FEE_UNIT]
    return {
      tvl: usdValueNumber(this.inPools + this.inOrders),
      volume: usdNumber(swaps.usd + deals.usd),
      fees: usdNumber(swapFees + spotFees),
      swapVolume: usdNumber(swaps.usd),
      spotVolume: usdNumber(deals.usd),
      swapFees: usdNumber(swapFees),
      spotFees: usdNumber(spotFees),
      swapTx: swaps.trades,
      spotTx: deals.trades,
      swapTxWithoutUsd: swaps.withoutUsd,
      spotTxWithoutUsd: deals.withoutUsd,
      poolsWithoutUsd: this.poolsWithoutUsd,
      ordersWithoutUsd: this.ordersWithoutUsd,
      poolsTotal: state.pools.size,
      spotPairsTotal: state.books.size,
    }
  }

  /** Pools and order books of a token, its reserve in pools (raw units), and its trades of a window (USD). */
  ofToken(state: MarketState, ref: TokenRef, window: WindowName) {
    this.follow(state)
    const token = this.tokenOf(ref)
    const createdAt = (token.createdAt ??= firstSight(state, ref))
    const { pools, books, reserve, swaps, deals, version } = token
    const [swap, deal] = [swaps[window], deals[window]]
    return {
      pools,
      books,
      reserve,
      version,
      createdAt,
      swaps: swap.trades,
      deals: deal.trades,
      swapUsd: usdNumber(swap.usd),
      spotUsd: usdNumber(deal.usd),
      withoutUsd: swap.withoutUsd + deal.withoutUsd,
    }
  }

  /** The most valuable active pool of a token; of equal ones, the one with the lower id. Null without one. */
  bestPool(state: MarketState, ref: TokenRef): LivePool | null {
    this.follow(state)
    const token = this.tokenOf(ref)
    if (token.best === null)
      for (const { id } of state.poolsOf.get(ref.id) ?? []) token.best = better(token.best, this.pools.get(id))
    return token.best?.of ?? null
  }

  private note(state: MarketState, changes: Changes | null): void {
    this.repriced = true
    if (changes === null || changes.everything) this.outdated = null
    if (this.outdated === null || changes === null) return
    for (const id of touchedPools(state, changes)) this.outdated.pools.add(id)
    for (const id of [...changes.books, ...changes.closedBooks]) this.outdated.books.add(id)
  }

  private follow(state: MarketState): void {
    if (this.outdated === null) {
      this.outdated = {
        pools: new Set([...this.pools.keys(), ...state.pools.keys()]),
        books: new Set([...this.books.keys(), ...state.books.keys(), ...state.closedBooks.keys()]),
      }
      this.repriced = true
    }
    const { pools, books } = this.outdated
    for (const id of pools) this.followPool(state, id)
    for (const id of books) this.followBook(state, id)
    if (this.repriced || books.size > 0) for (const offered of this.offered.values()) this.followOffered(state, offered)
    this.repriced = false
    pools.clear()
    books.clear()
  }

  private followPool(state: MarketState, id: number): void {
    const pool = state.pools.get(id)
    let share = this.pools.get(id)
    // A fork replaces the objects of pools and order books.
    if (share !== undefined && share.of !== pool) {
      const [a, b] = [this.tokenOf(share.of.a), this.tokenOf(share.of.b)]
      share.remove([this.swaps, a.swaps, b.swaps])
      a.reserve -= share.amounts[0]
      b.reserve -= share.amounts[1]
      a.pools--
      b.pools--
      a.createdAt = b.createdAt = null
      forgetBest(a, share)
      forgetBest(b, share)
      a.version++
      b.version++
      this.inPools -= share.value
      this.poolsWithoutUsd -= Number(share.withoutUsd)
      this.pools.delete(id)
      share = undefined
    }
    if (pool === undefined) return
    const [a, b] = [this.tokenOf(pool.a), this.tokenOf(pool.b)]
    if (share === undefined) {
      this.pools.set(id, (share = new Share(pool)))
      a.pools++
      b.pools++
      a.createdAt = b.createdAt = null
    }
    a.version++
    b.version++
    if (share.traded !== pool.changed) {
      share.update([this.swaps, a.swaps, b.swaps])
      a.reserve += pool.reserveA - share.amounts[0]
      b.reserve += pool.reserveB - share.amounts[1]
      share.amounts = [pool.reserveA, pool.reserveB]
    }
    const valued = poolMark(state, pool)
    if (share.valued === valued) return
    const known = state.prices.poolUsd(pool)
    const value = known ?? 0n
    const withoutUsd = known === null
    const isLess = value < share.value || !pool.active
    this.inPools += value - share.value
    this.poolsWithoutUsd += Number(withoutUsd) - Number(share.withoutUsd)
    share.withoutUsd = withoutUsd
    share.valued = valued
    share.value = value
    for (const token of [a, b])
      if (isLess) forgetBest(token, share)
      else if (token.best !== null) token.best = better(token.best, share)
  }

  private followBook(state: MarketState, id: number): void {
    const book = anyBook(state, id)
    let share = this.books.get(id)
    if (share !== undefined && share.of !== book) {
      this.takeBook(share)
      this.books.delete(id)
      share = undefined
    }
    if (book === undefined) return
    const [base, target] = [this.tokenOf(book.base), this.tokenOf(book.target)]
    if (share === undefined) {
      this.books.set(id, (share = new Share(book)))
      base.createdAt = target.createdAt = null
      if (isOpen(book)) {
        base.books++
        target.books++
      }
    }
    if (share.traded === book.changed) return
    if (share.first !== book.first) base.createdAt = target.createdAt = null
    share.first = book.first
    share.update([this.deals, base.deals, target.deals])
    // A closed market has no orders, but its trades stay in their windows.
    const offers: [bigint, bigint] = isOpen(book) ? [sumOf(book.asks), sumOf(book.bids)] : [0n, 0n]
    const orders: [number, number] = isOpen(book) ? [book.asks.length, book.bids.length] : [0, 0]
    this.offer(book.base, offers[0] - share.amounts[0], orders[0] - share.orders[0])
    this.offer(book.target, offers[1] - share.amounts[1], orders[1] - share.orders[1])
    share.amounts = offers
    share.orders = orders
  }

  private takeBook(share: Share<LiveBook | ClosedBook>): void {
    const { of } = share
    const [base, target] = [this.tokenOf(of.base), this.tokenOf(of.target)]
    share.remove([this.deals, base.deals, target.deals])
    this.offer(of.base, -share.amounts[0], -share.orders[0])
    this.offer(of.target, -share.amounts[1], -share.orders[1])
    base.createdAt = target.createdAt = null
    if (!isOpen(of)) return
    base.books--
    target.books--
  }

  private followOffered(state: MarketState, offered: Offered): void {
    const { token, amount, orders } = offered
    const valued = tokenMark(state, token.id)
    if (offered.valued === valued) return
    const known = state.prices.trustedUsd(token, amount)
    const value = known ?? 0n
    const withoutUsd = known === null ? orders : 0
    this.inOrders += value - offered.value
    this.ordersWithoutUsd += withoutUsd - offered.withoutUsd
    offered.withoutUsd = withoutUsd
    offered.valued = valued
    offered.value = value
  }

  private offer(token: TokenRef, amount: bigint, orders: number): void {
    if (amount === 0n && orders === 0) return
    const known = this.offered.get(token.id)
    if (known === undefined)
      this.offered.set(token.id, { token, amount, orders, valued: null, value: 0n, withoutUsd: 0 })
    else {
      known.amount += amount
      known.orders += orders
      known.valued = null
    }
  }

  private tokenOf({ id }: TokenRef): TokenTotals {
    let token = this.tokens.get(id)
    if (token === undefined) {
      token = emptyTotals()
      this.tokens.set(id, token)
    }
    return token
  }
}

/** If the pool is the token's most valuable one, that must be found again. */
function forgetBest(token: TokenTotals, share: Share<LivePool>): void {
  if (token.best === share) token.best = null
}

/** The more valuable of two active pools; of equal ones, the one with the lower id. */
function better(one: Share<LivePool> | null, other: Share<LivePool> | undefined): Share<LivePool> | null {
  if (!other?.of.active) return one
  if (one === null || other.value > one.value) return other
  return other.value === one.value && other.of.id < one.of.id ? other : one
}

function isOpen(book: LiveBook | ClosedBook): book is LiveBook {
  return 'bids' in book
}

/**
 * When a token was first seen: the earlier of the creation of its first pool and the first deal of its markets. The
 * start of the indexed history when an earlier use is possible.
 */
function firstSight({ poolsOf, booksOf, closedBooks, since, isWhole }: MarketState, { id }: TokenRef): number {
  const closed = [...closedBooks.values()].filter(({ base, target }) => base.id === id || target.id === id)
  const books = [...(booksOf.get(id) ?? []), ...closed]
  if (!isWhole && books.length > 0) return since
  let first = Number.POSITIVE_INFINITY
  for (const pool of poolsOf.get(id) ?? []) first = Math.min(first, pool.createdAt ?? since)
  for (const book of books) first = Math.min(first, book.first ?? first)
  return Number.isFinite(first) ? first : since
}

function sumOf(orders: LiveBook['bids']): bigint {
  let sum = 0n
  for (const { bid } of orders) sum += bid
  return sum
}

/** The sums of a market. */
export const totalsOf = perObject((market: LiveMarket): Totals => new Totals(market))
