// The cross-chain feed of a process: made anew with each minute of the clock, in turns beside the requests for as long as
// somebody asks for it.

import { setTimeout as delay } from 'node:timers/promises'
import type { FeedAsset } from '../../config/feed-assets.ts'
import { VersionedCache } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { BodyCache } from '../http/body-cache.ts'
import { chainsByHost, type HostTable, hostTable } from '../http/hosts.ts'
import { inTurns } from '../http/in-turns.ts'
import { RecentKeys } from '../http/recent-keys.ts'
import { Assets } from './assets.ts'
import type { FeedMarket, MarketCache } from './market.ts'
import { RecentTrades } from './recent-trades.ts'
import { type FeedSnapshot, snapshotSteps, takeSnapshot } from './snapshot.ts'

export interface FeedOptions {
  /** Host names at whose root the feed is, without ports. A name whose first label is `feed` is one too. */
  hosts: readonly string[]
  /** USD that a market must hold to be listed. */
  minimumUsd: number
  refreshSeconds: number
  assets: readonly FeedAsset[]
  /** Unix milliseconds. */
  now?: () => number
}

/** What counts without settings. */
export const FEED_DEFAULTS: FeedOptions = {
  hosts: ['feed.localhost'],
  minimumUsd: 1000,
  refreshSeconds: 60,
  assets: [],
}

/** Of trades, which are many and short. */
const TRADES = { bodies: 2000, bytes: 64 * 1024 * 1024, longest: 4 * 1024 * 1024 }

/** The newest trades of so many markets are read by one statement: who asks meanwhile waits for milliseconds. */
const MARKETS_AT_ONCE = 5

/** After so many periods without a request nobody is waiting for the next feed. */
const IDLE_PERIODS = 5

/** What lies at the root of the feed's own address. */
const AT_ROOT = /^\/(pairs|tickers|orderbook|historical_trades|cmc|status|check)(?=[/?]|$)/

/** Path of the feed on the host of a chain. */
export const FEED_PATH = '/api/v3/feed'

export class Feed {
  readonly options: FeedOptions
  readonly bodies = new BodyCache()
  readonly trades = new BodyCache(TRADES)
  /** Addresses of trades. */
  readonly tradesAsked = new RecentKeys(TRADES.bodies)
  private readonly contexts: readonly ChainContext[]
  private readonly assets: Assets
  private readonly own: (host: string | undefined) => unknown
  private readonly table: HostTable<{ chain: string; hosts: readonly string[] }>
  private readonly kept: MarketCache = new VersionedCache()
  private readonly recent: ReadonlyMap<ChainContext, RecentTrades>
  private snapshot: FeedSnapshot | null = null
  private refreshing = false
  private reading = false
  private timer: NodeJS.Timeout | null = null
  /** When somebody asked last, Unix milliseconds. */
  private asked = 0
  private closed = false

  constructor(contexts: readonly ChainContext[], options: Partial<FeedOptions> = {}) {
    this.options = { ...FEED_DEFAULTS, ...options }
    this.contexts = contexts
    this.assets = new Assets(
      this.options.assets,
      contexts.map(({ config }) => config),
    )
    this.recent = new Map(contexts.map((context) => [context, new RecentTrades(context)]))
    this.table = hostTable(
      contexts.map(({ chain, config }) => ({ chain, hosts: config.hosts })),
      (host) => this.isAt(host),
    )
    this.own = chainsByHost([{ chain: 'feed', hosts: this.options.hosts }])
  }

  /** Whether a host is the feed's own, or a chain's. */
  answersAt(host: string | undefined): boolean {
    return this.isAt(host) || this.table.chainOf(host) !== undefined
  }

  /** Whether a host is the feed's own. */
  isAt(host: string | undefined): boolean {
    return this.own(host) !== undefined
  }

  /** Host names that mean a chain. @param host  which means none */
  knownHosts(host: string | undefined): string[] {
    return this.table.known(host)
  }

  /** Where a request leads: at the feed's own address its paths lie at the root. */
  locate(url: string, host: string | undefined): string {
    return AT_ROOT.test(url) && this.isAt(host) ? `${FEED_PATH}${url}` : url
  }

  get now(): number {
    return (this.options.now ?? Date.now)()
  }

  /** Seconds until the feed is made anew. */
  get secondsLeft(): number {
    const period = this.options.refreshSeconds * 1000
    return Math.ceil((period - (this.now % period)) / 1000)
  }

  /**
   * The feed of this minute, or of the one before while this one's is being made; null while no chain is loaded. A chain
   * that has been loaded since comes in at once.
   */
  current(): FeedSnapshot | null {
    if (this.loaded === 0) return null
    const { snapshot, now } = this
    this.asked = now
    this.schedule()
    if (snapshot !== null && this.hasAll(snapshot)) {
      const age = this.periodOf(now) - this.periodOf(snapshot.refreshedAt)
      if (age === 0 || (age === 1 && this.refreshing)) return snapshot
    }
    this.snapshot = takeSnapshot(this.contexts, this.assets, this.options.minimumUsd, now, this.kept)
    void this.readTrades(this.snapshot)
    return this.snapshot
  }

  /** Trades of a chain of the feed. */
  recentOf(context: ChainContext): RecentTrades {
    return this.recent.get(context) as RecentTrades
  }

  /** Makes the feed of this minute in turns. Answers go on from the one before. */
  async refresh(): Promise<void> {
    const { snapshot, now } = this
    if (this.refreshing || (snapshot !== null && this.periodOf(snapshot.refreshedAt) === this.periodOf(now))) return
    this.refreshing = true
    try {
      const steps = snapshotSteps(this.contexts, this.assets, this.options.minimumUsd, now, this.kept)
      const made = await inTurns(steps, () => this.closed || this.snapshot !== snapshot)
      if (made === undefined || this.snapshot !== snapshot) return
      this.snapshot = made
      void this.readTrades(made)
    } finally {
      this.refreshing = false
    }
  }

  /** Has the newest trades of every listed market at hand, the most liquid ones first. */
  private async readTrades({ markets }: FeedSnapshot): Promise<void> {
    if (this.reading) return
    this.reading = true
    // Whoever asks for trades that could not be read reads them, and hears of it.
    for (const [market, ids] of idsByKind(markets)) await this.readNewest(market, ids).catch(() => {})
    this.reading = false
  }

  /** @param ids  of markets of the chain and the type of one of them */
  private async readNewest({ context, type }: FeedMarket, ids: readonly number[]): Promise<void> {
    const recent = this.recentOf(context)
    const unknown = recent.unknown(type, ids)
    for (let i = 0; i < unknown.length && !recent.isFull && !this.closed; i += MARKETS_AT_ONCE) {
      const started = performance.now()
      await recent.bring(type, unknown.slice(i, i + MARKETS_AT_ONCE))
      // As long as it took belongs to the requests.
      await delay(performance.now() - started, undefined, { ref: false })
    }
  }

  close(): void {
    this.closed = true
    if (this.timer !== null) clearTimeout(this.timer)
  }

  /** Refreshes when the next minute begins, and so on until nobody asks any more. */
  private schedule(): void {
    if (this.timer !== null || this.closed) return
    const period = this.options.refreshSeconds * 1000
    this.timer = setTimeout(
      () => {
        this.timer = null
        if (this.now - this.asked > IDLE_PERIODS * period) return
        this.schedule()
        // What went wrong, the next request is told: it makes the feed itself.
        this.refresh().catch(() => {})
      },
      period - (this.now % period),
    )
    this.timer.unref()
  }

  private get loaded(): number {
    return this.contexts.filter(({ market }) => market.state !== null).length
  }

  private hasAll({ chains }: FeedSnapshot): boolean {
    return chains.filter(({ at }) => at !== null).length === this.loaded
  }

  private periodOf(time: number): number {
    return Math.floor(time / (this.options.refreshSeconds * 1000))
  }

  /** Address of a chain's web site, as seen from a request: the same whichever host of the server was asked. */
  siteOf({ chain, config, siteUrl }: ChainContext, protocol: string, host: string): string {
    if (siteUrl !== undefined) return siteUrl.replace(/\/$/, '').replaceAll('{chain}', chain)
    const [name = '', port] = host.split(/:(?=\d+$)/)
    const [label, ...rest] = name.split('.')
    const isLabelled = rest.length > 0 && (label === 'feed' || this.contexts.some((one) => one.chain === label))
    const own = isLabelled ? [chain, ...rest].join('.') : (config.hosts[0] ?? name)
    return `${protocol}://${own}${port === undefined ? '' : `:${port}`}`
  }
}

/** The ids of markets of a chain and a type, by one of them. */
function idsByKind(markets: readonly FeedMarket[]): Map<FeedMarket, number[]> {
  const first = new Map<string, FeedMarket>()
  const ids = new Map<FeedMarket, number[]>()
  for (const market of markets) {
    const kind = `${market.chain} ${market.type}`
    const own = first.get(kind)
    if (own !== undefined) ids.get(own)?.push(market.id)
    else {
      first.set(kind, market)
      ids.set(market, [market.id])
    }
  }
  return ids
}
