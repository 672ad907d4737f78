// The cross-chain feed of a process: made again for each minute of the clock, in small steps between requests.
// Refreshing stops when no request has come for a while.

import { setTimeout as delay } from 'node:timers/promises'
import type { FeedAsset } from '../../config/feed-assets.ts'
import { VersionedCache } from '../../core/cache.ts'
import { runSlices } from '../../core/scheduler.ts'
import type { ChainContext } from '../chain-context.ts'
import { BodyCache } from '../http/body-cache.ts'
import { chainsByHost, type HostTable, hostTable } from '../http/hosts.ts'
import { RecentKeys } from '../http/recent-keys.ts'
import { Assets } from './assets.ts'
import type { FeedMarket, MarketCache } from './market.ts'
import { RecentTrades } from './recent-trades.ts'
import { type FeedSnapshot, snapshotSteps, takeSnapshot } from './snapshot.ts'

export interface FeedOptions {
  /** Host names that serve the feed at their root, without ports. Any name whose first label is `feed` counts too. */
  hosts: readonly string[]
  /** Minimum liquidity of a listed market, USD. */
  minimumUsd: number
  refreshSeconds: number
  assets: readonly FeedAsset[]
  /** Unix milliseconds. */
  now?: () => number
}

/** Defaults of the settings. */
const FEED_DEFAULTS: FeedOptions = {
  hosts: ['feed.localhost'],
  minimumUsd: 1000,
  refreshSeconds: 60,
  assets: [],
}

/** Limits of the cache of trade answers, which are many and short. */
const TRADES = { bodies: 2000, bytes: 64 * 1024 * 1024, longest: 4 * 1024 * 1024 }

/** Markets per statement when the newest trades are read. Few, so that other requests wait only milliseconds. */
const MARKETS_AT_ONCE = 5

/** Refreshing stops after this many periods without a request. */
const IDLE_PERIODS = 5

/** Paths at the root of the feed's own hosts. */
const AT_ROOT = /^\/(pairs|tickers|orderbook|historical_trades|cmc|status|check)(?=[/?]|$)/

/** Path of the feed on the host of a chain. */
export const FEED_PATH = '/api/v3/feed'

export class Feed {
  readonly options: FeedOptions
  readonly bodies = new BodyCache()
  readonly trades = new BodyCache(TRADES)
  /** Recently requested addresses of trades. */
  readonly tradesAsked = new RecentKeys(TRADES.bodies)
  private readonly contexts: readonly ChainContext[]
  private readonly assets: Assets
  private readonly feedByHost: (host: string | undefined) => unknown
  private readonly table: HostTable<{ chain: string; hosts: readonly string[] }>
  private readonly cache: MarketCache = new VersionedCache()
  private readonly recent: ReadonlyMap<ChainContext, RecentTrades>
  private snapshot: FeedSnapshot | null = null
  private refreshing = false
  private reading = false
  private timer: NodeJS.Timeout | null = null
  /** Time of the last request, Unix milliseconds. */
  private lastRequest = 0
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
    this.feedByHost = chainsByHost([{ chain: 'feed', hosts: this.options.hosts }])
  }

  /** Whether a host belongs to the feed or to a chain. */
  answersAt(host: string | undefined): boolean {
    return this.isAt(host) || this.table.chainOf(host) !== undefined
  }

  /** Whether a host belongs to the feed. */
  isAt(host: string | undefined): boolean {
    return this.feedByHost(host) !== undefined
  }

  /** Host names that lead to a chain. @param host  a host that leads to none */
  knownHosts(host: string | undefined): string[] {
    return this.table.known(host)
  }

  /** Path of a request. At the feed's own hosts the feed's paths are at the root. */
  locate(url: string, host: string | undefined): string {
    return AT_ROOT.test(url) && this.isAt(host) ? `${FEED_PATH}${url}` : url
  }

  get now(): number {
    return (this.options.now ?? Date.now)()
  }

  /** Seconds until the next refresh. */
  get secondsLeft(): number {
    const period = this.options.refreshSeconds * 1000
    return Math.ceil((period - (this.now % period)) / 1000)
  }

  /**
   * The feed of this minute, or of the previous one while this one is being made; null while no chain is loaded. A
   * newly loaded chain is included at once.
   */
  current(): FeedSnapshot | null {
    if (this.loaded === 0) return null
    const { snapshot, now } = this
    this.lastRequest = now
    this.schedule()
    if (snapshot !== null && this.hasAll(snapshot)) {
      const age = this.periodOf(now) - this.periodOf(snapshot.refreshedAt)
      if (age === 0 || (age === 1 && this.refreshing)) return snapshot
    }
    this.snapshot = takeSnapshot(this.contexts, this.assets, this.options.minimumUsd, now, this.cache)
    void this.readTrades(this.snapshot)
    return this.snapshot
  }

  /** The recent trades of a chain. */
  recentOf(context: ChainContext): RecentTrades {
    return this.recent.get(context) as RecentTrades
  }

  /** Makes the feed of this minute in small steps. Requests get the previous feed meanwhile. */
  async refresh(): Promise<void> {
    const { snapshot, now } = this
    if (this.refreshing || (snapshot !== null && this.periodOf(snapshot.refreshedAt) === this.periodOf(now))) return
    this.refreshing = true
    try {
      const steps = snapshotSteps(this.contexts, this.assets, this.options.minimumUsd, now, this.cache)
      const made = await runSlices(steps, () => this.closed || this.snapshot !== snapshot)
      if (made === undefined || this.snapshot !== snapshot) return
      this.snapshot = made
      void this.readTrades(made)
    } finally {
      this.refreshing = false
    }
  }

  /** Loads the newest trades of every listed market into memory, the most liquid markets first. */
  private async readTrades({ markets }: FeedSnapshot): Promise<void> {
    if (this.reading) return
    this.reading = true
    // Errors are ignored here: a request for these trades reads them itself and reports its error.
    for (const [market, ids] of idsByKind(markets)) await this.readNewest(market, ids).catch(() => {})
    this.reading = false
  }

  /** @param ids  ids of markets with the chain and type of the given market */
  private async readNewest({ context, type }: FeedMarket, ids: readonly number[]): Promise<void> {
    const recent = this.recentOf(context)
    const unknown = recent.unknown(type, ids)
    for (let i = 0; i < unknown.length && !recent.isFull && !this.closed; i += MARKETS_AT_ONCE) {
      const started = performance.now()
      await recent.bring(type, unknown.slice(i, i + MARKETS_AT_ONCE))
      // Pause for as long as the read took: half of the time is left to requests.
      await delay(performance.now() - started, undefined, { ref: false })
    }
  }

  close(): void {
    this.closed = true
    if (this.timer !== null) clearTimeout(this.timer)
  }

  /** Schedules a refresh at the start of the next minute, repeated until requests stop. */
  private schedule(): void {
    if (this.timer !== null || this.closed) return
    const period = this.options.refreshSeconds * 1000
    this.timer = setTimeout(
      () => {
        this.timer = null
        if (this.now - this.lastRequest > IDLE_PERIODS * period) return
        this.schedule()
        // Errors are ignored here: the next request makes the feed itself and reports its error.
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

  /** Address of a chain's web site as seen by a client. The same for every host of the server. */
  siteOf({ chain, config, siteUrl }: ChainContext, protocol: string, host: string): string {
    if (siteUrl !== undefined) return siteUrl.replace(/\/$/, '').replaceAll('{chain}', chain)
    const [name = '', port] = host.split(/:(?=\d+$)/)
    const [label, ...rest] = name.split('.')
    const isLabelled = rest.length > 0 && (label === 'feed' || this.contexts.some((one) => one.chain === label))
    const own = isLabelled ? [chain, ...rest].join('.') : (config.hosts[0] ?? name)
    return `${protocol}://${own}${port === undefined ? '' : `:${port}`}`
  }
}

/** Ids of markets grouped by chain and type; the key is the first market of each group. */
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
