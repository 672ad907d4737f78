// The router of a chain, kept beside its live market: knows what every step changed before anybody is answered. Routes of
// the present block are kept, because many ask for the same one. A route names nobody: who sends and who receives comes
// in with the answer.
import type { ChainConfig } from '../../config/schema.ts'
import type { ExactInRequest, ExactOutRequest, Route } from '../../core/route/model.ts'
import { Router } from '../../core/route/router.ts'
import { inTurns } from '../http/in-turns.ts'
import type { Changes } from '../market/advance.ts'
import type { LiveMarket } from '../market/live-market.ts'
import type { LiveBook, LivePool, MarketState } from '../market/model.ts'

/** Routes that are kept. */
const MOST_ROUTES = 500

export class LiveRouter {
  private readonly accounts: ChainConfig['accounts']
  private readonly exactOutPaths: boolean
  private readonly market: LiveMarket
  private readonly routes = new Map<string, Route | null>()
  /** Pools and markets that have changed since the router was told: those who wait for a block come first. */
  private readonly open = { pools: new Set<number>(), books: new Set<number>() }
  private isScheduled = false
  private router = new Router()

  /** Follows the market for as long as that lives. */
  constructor(config: Pick<ChainConfig, 'accounts' | 'exactOutPaths'>, market: LiveMarket) {
    this.accounts = config.accounts
    this.exactOutPaths = config.exactOutPaths
    this.market = market
    if (market.state !== null) this.load(market.state)
    market.listen((state, changes) => (changes === null ? this.load(state) : this.advance(changes)))
  }

  /** The router itself, as of the market's block. Valid until the caller awaits something. */
  get current(): Router {
    this.settle()
    return this.router
  }

  /** The best route for an exact input as of the market's block; null without one. Not to be changed or kept. */
  exactIn(request: ExactInRequest): Route | null {
    return this.kept('in', request, () => this.current.exactIn(request))
  }

  /** The cheapest route for an exact output as of the market's block; null without one. Not to be changed or kept. */
  exactOut(request: Omit<ExactOutRequest, 'paths'>): Route | null {
    return this.kept('out', request, () => this.current.exactOut({ ...request, paths: this.exactOutPaths }))
  }

  private kept(exact: 'in' | 'out', request: ExactInRequest, find: () => Route | null): Route | null {
    const { input, output, amount, maxHops = 3, maxParts = 5, slippage, books = true } = request
    const { numerator, denominator } = slippage ?? { numerator: 0n, denominator: 1n }
    const key = [exact, input, output, amount, maxHops, maxParts, numerator, denominator, books].join(' ')
    let route = this.routes.get(key)
    if (route !== undefined) this.routes.delete(key)
    else route = find()
    // The one asked for last goes to the end; the one that nobody has asked for longest is given up.
    this.routes.set(key, route)
    if (this.routes.size > MOST_ROUTES) this.routes.delete(this.routes.keys().next().value as string)
    return route
  }

  private load(state: MarketState): void {
    this.router = new Router()
    this.routes.clear()
    this.open.pools.clear()
    this.open.books.clear()
    for (const id of state.pools.keys()) this.putPool(state, id)
    for (const id of state.books.keys()) this.putBook(state, id)
    const { router } = this
    void inTurns(router.warmSteps(), () => router !== this.router)
  }

  private advance({ pools, books }: Changes): void {
    if (pools.size + books.size === 0) return
    this.routes.clear()
    for (const id of pools) this.open.pools.add(id)
    for (const id of books) this.open.books.add(id)
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      this.settle()
    })
  }

  /** Tells the router what has changed. */
  private settle(): void {
    const { state } = this.market
    const { pools, books } = this.open
    if (state === null || pools.size + books.size === 0) return
    for (const id of pools) this.putPool(state, id)
    for (const id of books) this.putBook(state, id)
    // Without a market, a younger one of its pair can be the one.
    const isGone = [...books].some((id) => !state.books.has(id))
    if (isGone) for (const id of state.books.keys()) this.putBook(state, id)
    pools.clear()
    books.clear()
  }

  private putPool(state: MarketState, id: number): void {
    const pool = state.pools.get(id)
    if (pool !== undefined && this.accounts.amm !== undefined && hasTrueDecimals(state, pool)) this.router.putPool(pool)
    else this.router.removePool(id)
  }

  private putBook(state: MarketState, id: number): void {
    const book = state.books.get(id)
    if (book !== undefined && this.accounts.spot !== undefined && isTheOne(state, book)) this.router.putBook(book)
    else this.router.removeBook(id)
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
