// A router over a market's pools and order books. Changes are recorded and applied when the router is next requested.
import type { ChainConfig } from '../../config/schema.ts'
import { Router } from '../../core/route/router.ts'
import type { Changes } from '../live-market/advance.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { LiveBook, LivePool, MarketState, TokenRef } from '../live-market/model.ts'

export interface MarketRouterOptions {
  /** Only venues whose contract is configured are routed. */
  accounts: ChainConfig['accounts']
  /**
   * Whether the router stays at its block until the next request, at the cost of copies. Otherwise it is invalid after
   * the market's next change.
   */
  isStill: boolean
}

export class MarketRouter {
  private readonly options: MarketRouterOptions
  private readonly market: LiveMarket
  private router = new Router()
  /** Whether the loaded market must be read as a whole. */
  private isEmpty = true
  private readonly changed = { pools: new Set<number>(), books: new Set<number>() }

  constructor(options: MarketRouterOptions, market: LiveMarket) {
    this.options = options
    this.market = market
  }

  /** Records changes of the market. @param changes  null: everything may have changed */
  note(changes: Changes | null): void {
    if (changes === null) this.isEmpty = true
    if (this.isEmpty) return
    for (const id of changes?.pools ?? []) this.changed.pools.add(id)
    for (const id of changes?.books ?? []) this.changed.books.add(id)
  }

  /**
   * Applies the recorded changes.
   *
   * @returns the router of the market's block; a new one after the market was reloaded
   */
  settled(): Router {
    const { state } = this.market
    if (state === null) return this.router
    if (this.isEmpty) this.load(state)
    const { pools, books } = this.changed
    for (const id of pools) this.putPool(state, id)
    for (const id of books) this.putBook(state, id)
    // After a market's removal, a newer market of its pair may become the one that the contract takes.
    const isGone = [...books].some((id) => !state.books.has(id))
    if (isGone) for (const id of state.books.keys()) this.putBook(state, id)
    pools.clear()
    books.clear()
    return this.router
  }

  private load(state: MarketState): void {
    this.router = new Router()
    this.isEmpty = false
    this.changed.pools.clear()
    this.changed.books.clear()
    for (const id of state.pools.keys()) this.putPool(state, id)
    for (const id of state.books.keys()) this.putBook(state, id)
  }

  private putPool(state: MarketState, id: number): void {
    const { accounts, isStill } = this.options
    const pool = state.pools.get(id)
    if (pool === undefined || accounts.amm === undefined || !hasTrueDecimals(state, pool)) this.router.removePool(id)
    else this.router.putPool(isStill ? { ...pool } : pool)
  }

  private putBook(state: MarketState, id: number): void {
    const { accounts, isStill } = this.options
    const book = state.books.get(id)
    if (book === undefined || accounts.spot === undefined || !isOldestOfPair(state, book)) this.router.removeBook(id)
    else this.router.putBook(isStill ? { ...book } : book)
  }
}

/** Anyone can create a pool that names a token with wrong decimals. No transfer can reach such a pool. */
function hasTrueDecimals({ tokens }: MarketState, { a, b }: LivePool): boolean {
  return tokens.get(a.id)?.decimals === a.decimals && tokens.get(b.id)?.decimals === b.decimals
}

/** A memo names tokens and no market; of several markets of a pair, the contract takes the oldest. */
function isOldestOfPair({ booksOf }: MarketState, { id, base, target }: LiveBook): boolean {
  const of = (token: TokenRef) => booksOf.get(token.id) ?? new Set<LiveBook>()
  const fewer = of(base).size < of(target).size ? of(base) : of(target)
  const isOlder = (other: LiveBook) =>
    other.id < id && [base.id, target.id].every((token) => token === other.base.id || token === other.target.id)
  return ![...fewer].some(isOlder)
}
