// The routers of a chain. They receive the changes of every block of the live market before requests are answered.
// Routes of the current block are cached, because many clients request the same one; a route contains no sender or
// receiver.

import type { ChainConfig } from '../../config/schema.ts'
import { LRUCache } from '../../core/cache.ts'
import type { ExactInRequest, ExactOutRequest, Route } from '../../core/route/model.ts'
import type { Router } from '../../core/route/router.ts'
import { runSlices, runSteps } from '../../core/scheduler.ts'
import type { Changes } from '../live-market/advance.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import { MarketRouter } from './market-router.ts'
import { MAX_HOPS, MAX_SPLITS } from './parameters.ts'

/** Maximum number of routes in the cache. */
const MAX_ROUTES = 500

export class LiveRouter {
  private readonly exactOutPaths: boolean
  private readonly routes = new LRUCache<string, { route: Route | null }>({ max: MAX_ROUTES })
  /** Router of the market's current block. */
  private readonly head: MarketRouter
  /** Router for searches that take longer than a block. */
  private readonly frozen: MarketRouter
  private isScheduled = false

  /** Listens to the market for the market's whole life. */
  constructor({ accounts, exactOutPaths }: Pick<ChainConfig, 'accounts' | 'exactOutPaths'>, market: LiveMarket) {
    this.exactOutPaths = exactOutPaths
    this.head = new MarketRouter({ accounts, isStill: false }, market)
    this.frozen = new MarketRouter({ accounts, isStill: true }, market)
    if (market.state !== null) this.warm()
    market.listen((_, changes) => this.advance(changes))
  }

  /** The router of the market's current block. Valid only until the caller's next await. */
  get current(): Router {
    return this.head.settled()
  }

  /**
   * A router of the market's current block that does not change with new blocks, only with the next call. For one long
   * search at a time.
   */
  standStill(): Router {
    return this.frozen.settled()
  }

  /** The best route for an exact input at the market's block; null if none. The caller must not change or keep it. */
  exactIn(request: ExactInRequest): Route | null {
    return this.cached('in', request, () => this.current.exactIn(request))
  }

  /**
   * The cheapest route for an exact output at the market's block; null if none. The caller must not change or keep it.
   */
  exactOut(request: Omit<ExactOutRequest, 'paths'>): Route | null {
    return this.cached('out', request, () => this.current.exactOut({ ...request, paths: this.exactOutPaths }))
  }

  private cached(exact: 'in' | 'out', request: ExactInRequest, find: () => Route | null): Route | null {
    const { input, output, amount, maxHops = MAX_HOPS, maxParts = MAX_SPLITS, slippage, books = true } = request
    const { numerator, denominator } = slippage ?? { numerator: 0n, denominator: 1n }
    const key = [exact, input, output, amount, maxHops, maxParts, numerator, denominator, books].join(' ')
    const known = this.routes.get(key)
    if (known !== undefined) return known.route
    const route = find()
    this.routes.set(key, { route })
    return route
  }

  /** Precomputes, in slices, what the first request over each pool would compute. */
  private warm(): void {
    const router = this.current
    void runSlices(router.warmSteps(), () => router !== this.current)
  }

  private advance(changes: Changes | null): void {
    if (changes !== null && changes.pools.size + changes.books.size === 0) return
    this.routes.clear()
    this.head.note(changes)
    this.frozen.note(changes)
    if (changes === null) this.warm()
    else this.settleSoon()
  }

  /** Applies the changes after the block's listeners have run. */
  private settleSoon(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    runSteps(() => {
      this.isScheduled = false
      this.head.settled()
      return false
    })
  }
}
