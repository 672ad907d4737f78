// The routers of a chain, kept beside its live market: know what every step changed before anybody is answered. Routes of
// the present block are kept, because many ask for the same one. A route names nobody: who sends and who receives comes
// in with the answer.

import type { ChainConfig } from '../../config/schema.ts'
import { LRUCache } from '../../core/cache.ts'
import type { ExactInRequest, ExactOutRequest, Route } from '../../core/route/model.ts'
import type { Router } from '../../core/route/router.ts'
import { inTurns } from '../http/in-turns.ts'
import type { Changes } from '../market/advance.ts'
import type { LiveMarket } from '../market/live-market.ts'
import { MarketRouter } from './market-router.ts'

/** Routes that are kept. */
const MAX_ROUTES = 500

export class LiveRouter {
  private readonly exactOutPaths: boolean
  private readonly routes = new LRUCache<string, { route: Route | null }>({ max: MAX_ROUTES })
  /** Of the market's block. */
  private readonly head: MarketRouter
  /** For searches that take longer than a block. */
  private readonly still: MarketRouter
  private isScheduled = false

  /** Follows the market for as long as that lives. */
  constructor({ accounts, exactOutPaths }: Pick<ChainConfig, 'accounts' | 'exactOutPaths'>, market: LiveMarket) {
    this.exactOutPaths = exactOutPaths
    this.head = new MarketRouter({ accounts, isStill: false }, market)
    this.still = new MarketRouter({ accounts, isStill: true }, market)
    if (market.state !== null) this.warm()
    market.listen((_, changes) => this.advance(changes))
  }

  /** The router as of the market's block. Valid until the caller awaits something. */
  get current(): Router {
    return this.head.settled()
  }

  /**
   * A router as of the market's block that stays at it while blocks come, until somebody asks for it again. For one long
   * search at a time.
   */
  standStill(): Router {
    return this.still.settled()
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
    const known = this.routes.get(key)
    if (known !== undefined) return known.route
    const route = find()
    this.routes.set(key, { route })
    return route
  }

  /** Computes what requests would otherwise compute when they first meet a pool. */
  private warm(): void {
    const router = this.current
    void inTurns(router.warmSteps(), () => router !== this.current)
  }

  private advance(changes: Changes | null): void {
    if (changes !== null && changes.pools.size + changes.books.size === 0) return
    this.routes.clear()
    this.head.note(changes)
    this.still.note(changes)
    if (changes === null) this.warm()
    else this.settleSoon()
  }

  /** Those who wait for the block come first. */
  private settleSoon(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      this.head.settled()
    })
  }
}
