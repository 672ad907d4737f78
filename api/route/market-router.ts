// A router of a market's pools and order books, which is told of changes when it is asked for: what has changed is noted
// until then.
import type { ChainConfig } from '../../config/schema.ts'
import { Router } from '../../core/route/router.ts'
import type { Changes } from '../market/advance.ts'
import type { LiveMarket } from '../market/live-market.ts'
import type { LiveBook, LivePool, MarketState } from '../market/model.ts'

export interface MarketRouterOptions {
  /** Venues are routed whose contract is configured. */
  accounts: ChainConfig['accounts']
  /**
   * Whether it stays at its block while the market goes on, until it is asked for again. Otherwise it is of no use once the
   * market has changed, and costs no copies.
   */
  isStill: boolean
}

export class MarketRouter {
  private readonly options: MarketRouterOptions
  private readonly market: LiveMarket
  private router = new Router()
  /** Whether it knows nothing of the market that is loaded. */
  private isEmpty = true
  private readonly open = { pools: new Set<number>(), books: new Set<number>() }

  constructor(options: MarketRouterOptions, market: LiveMarket) {
    this.options = options
    this.market = market
  }

  /** Takes notice of a step of the market. @param changes  null: of anything */
  note(changes: Changes | null): void {
    if (changes === null) this.isEmpty = true
    if (this.isEmpty) return
    for (const id of changes?.pools ?? []) this.open.pools.add(id)
    for (const id of changes?.books ?? []) this.open.books.add(id)
  }

  /** The router as of the market's block. Another one than before, when the market was loaded anew. */
  settled(): Router {
    const { state } = this.market
    if (state === null) return this.router
    if (this.isEmpty) this.load(state)
    const { pools, books } = this.open
    for (const id of pools) this.putPool(state, id)
    for (const id of books) this.putBook(state, id)
    // Without a market, a younger one of its pair can be the one.
    const isGone = [...books].some((id) => !state.books.has(id))
    if (isGone) for (const id of state.books.keys()) this.putBook(state, id)
    pools.clear()
    books.clear()
    return this.router
  }

  private load(state: MarketState): void {
    this.router = new Router()
    this.isEmpty = false
    this.open.pools.clear()
    this.open.books.clear()
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
    if (book === undefined || accounts.spot === undefined || !isTheOne(state, book)) this.router.removeBook(id)
    else this.router.putBook(isStill ? { ...book } : book)
  }
}

/** Anybody can make a pool of a token with other decimals than it has: no transfer reaches that. */
function hasTrueDecimals({ tokens }: MarketState, { a, b }: LivePool): boolean {
  return tokens.get(a.id)?.decimals === a.decimals && tokens.get(b.id)?.decimals === b.decimals
}

/** A memo names tokens and no market: of several markets of a pair the contract takes the oldest. */
function isTheOne({ booksOf }: MarketState, { id, base, target }: LiveBook): boolean {
  const [left, right] = [base, target].map((token) => booksOf.get(token.id) ?? new Set<LiveBook>())
  const fewer = left!.size < right!.size ? left! : right!
  const isOlder = (other: LiveBook) =>
    other.id < id && [base.id, target.id].every((token) => token === other.base.id || token === other.target.id)
  return ![...fewer].some(isOlder)
}
