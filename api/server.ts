// The HTTP server. All its state is in the database; memory holds only data derived from it.
import fastify, { type FastifyInstance } from 'fastify'
import type { EvmChainConfig } from '../config/evm-schema.ts'
import { closerOfUnused } from '../net/unused-connections.ts'
import { Bridge, type BridgeOptions } from './bridge/bridge.ts'
import { bridgeMetrics } from './bridge/metrics.ts'
import { bridgeRoutes } from './bridge/routes.ts'
import type { ChainContext } from './chain-context.ts'
import { type CpuOptions, cpuRoutes } from './cpu/routes.ts'
import { describeApi, describeRoutes } from './description/openapi.ts'
import { type FactStreamOptions, FactStreams } from './explore/stream/fact-streams.ts'
import { FACTS_PATH, factStreamRoute } from './explore/stream/routes.ts'
import { Feed, type FeedOptions } from './feed/feed.ts'
import { feedRoutes } from './feed/routes.ts'
import { cacheMetrics } from './http/body-cache.ts'
import { chainPrefixes } from './http/chain-prefix.ts'
import { chainRoutes } from './http/chain-routes.ts'
import { LAZY_COMPILERS } from './http/compilers.ts'
import { answerFailures, failUnrouted } from './http/failures.ts'
import { keepFresh } from './http/freshness.ts'
import { type GuardOptions, guard, MAX_DELAY, openToAll } from './http/guards.ts'
import { type Log, SILENT } from './http/log.ts'
import { parseQuery } from './http/query.ts'
import { EXPLAINED, schemaProblem } from './http/schema-problem.ts'
import type { Api } from './http/typed.ts'
import { acceptUpgrades } from './http/upgrades.ts'
import { MarketStream, type StreamOptions } from './market/stream/market-stream.ts'
import { STREAM_PATH, streamRoute } from './market/stream/upgrade.ts'
import { httpMetrics } from './operate/http-metrics.ts'
import { poolMetrics } from './operate/pool-metrics.ts'
import { type OperateOptions, operateRoutes } from './operate/routes.ts'
import { exchangeRoutes } from './routes.ts'
import { explorer } from './site/explorer/pages.ts'
import { bridgePlaces } from './site/explorer/places.ts'
import { EVM_TRANSACTION_PAGE, type SiteOptions } from './site/page-config.ts'
import { siteRoutes } from './site/routes.ts'

export interface ServerOptions
  extends Omit<OperateOptions, 'chains' | 'evm' | 'isLoaded' | 'audit'>,
    Partial<GuardOptions> {
  chains: readonly ChainContext[]
  /** EVM chains of the bridge. */
  evm?: readonly EvmChainConfig[]
  /** Options of the bridge. */
  bridge?: Pick<BridgeOptions, 'ledger' | 'proofOfDeposit' | 'views' | 'pending' | 'now'> &
    Partial<Pick<BridgeOptions, 'maxLagSeconds'>>
  /** The cross-chain feed. */
  feed?: Partial<FeedOptions>
  /** Proxies whose `X-Forwarded-For` is trusted: addresses or ranges. None by default. */
  trustProxy?: string[]
  /** CPU sponsorship; if absent, it has no endpoints. */
  cosign?: CpuOptions
  /** Pages of the bridge; if absent, they are not served. */
  site?: SiteOptions
  /** Limits of the streams. */
  stream?: Partial<StreamOptions> & {
    /** Limit of open connections of the stream of facts. */
    factConnections?: number
  }
  /** Times of the stream of facts. Its limits are in `stream`. */
  facts?: Partial<Pick<FactStreamOptions, 'checkMs' | 'progressMs'>>
  /** Timeout for receiving a whole request, milliseconds. Default 10,000. */
  requestMs?: number
  log?: Log
}

/** Longest path parameter, characters. A ticker has two token ids and is shorter. */
const MAX_PARAMETER = 256
/** Requests have a few hundred bytes, so a slower client only occupies a connection. */
const REQUEST_MS = 10_000

/** Makes the server with all routes. The caller calls `listen` and `close`. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { chains, rateLimit = 0, maxDelay = MAX_DELAY, log = SILENT, requestMs = REQUEST_MS } = options
  const feed = new Feed(chains, options.feed)
  const prefixes = chainPrefixes(chains.map(({ chain }) => chain))
  const pages = explorer({
    chains,
    isTaken: (host) => feed.isAt(host),
    hasBridge: options.site !== undefined,
    places: bridgePlaces(
      chains.map(({ chain }) => chain),
      options.site?.evm ?? options.evm ?? [],
      options.site?.chains ?? chains.map(({ config }) => config),
      options.site?.demo === undefined ? null : EVM_TRANSACTION_PAGE,
    ),
    version: options.version,
  })
  const app = fastify({
    rewriteUrl: ({ url = '/', headers }) => feed.locate(prefixes.without(url), headers.host),
    // Idle connections are closed with the server, so that a shutdown waits only for running requests.
    forceCloseConnections: 'idle',
    trustProxy: options.trustProxy !== undefined && options.trustProxy.length > 0 ? options.trustProxy : false,
    requestTimeout: requestMs,
    // Node applies the longer of the two timeouts to the whole request, so both are set.
    http: { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: 1000 },
    frameworkErrors: failUnrouted,
    schemaController: LAZY_COMPILERS,
    ajv: EXPLAINED,
    schemaErrorFormatter: schemaProblem,
    routerOptions: { maxParamLength: MAX_PARAMETER, querystringParser: parseQuery, ignoreTrailingSlash: true },
  })
  const http = httpMetrics(app)
  const stream = new MarketStream(chains, options.stream)
  app.addHook('preClose', () => stream.close())
  const { factConnections: connections, connectionsPerAddress } = options.stream ?? {}
  const facts = new FactStreams(log, { ...options.facts, connections, connectionsPerAddress })
  app.addHook('preClose', () => facts.close())
  app.addHook('onClose', async () => feed.close())
  const { pool, maxLagSeconds, evm = [] } = options
  const exchange = chains.map(({ chain, config: { chainId } }) => ({ chain, chainId }))
  const bridge = new Bridge({ pool, evm, exchange, log, maxLagSeconds, ...options.bridge })
  app.addHook('onClose', async () => bridge.close())
  acceptUpgrades(app, `the market stream is at ${STREAM_PATH}, the stream of facts at ${FACTS_PATH}`)
  const closeUnused = closerOfUnused(app.server)
  app.addHook('preClose', async () => closeUnused())
  answerFailures(app, log, pages.sendNotFound)
  keepFresh(app)
  openToAll(app)
  describeApi(app, options.version)
  app.register(async (open) => {
    const isLoaded = (name: string) => chains.some(({ chain, market }) => chain === name && market.state !== null)
    const { registry: proofs } = bridge.proofMetrics
    const registries = [...(options.registries ?? []), http, stream.registry, poolMetrics(pool), cacheMetrics, proofs]
    const databaseRegistries = [bridgeMetrics(bridge)]
    const audit = async (name: string) => (await chains.find(({ chain }) => chain === name)?.market.audit()) ?? null
    const evm = (options.evm ?? []).map(({ chain }) => chain)
    operateRoutes(open, {
      ...options,
      chains: chains.map(({ chain }) => chain),
      evm,
      audit,
      isLoaded,
      registries,
      databaseRegistries,
    })
    describeRoutes(open)
    pages.routes(open)
    if (options.site !== undefined) siteRoutes(open, options.site, pages.frameConfig)
  })
  app.register(async (scope) => {
    guard(scope, { rateLimit, maxDelay })
    scope.register(async (api) => bridgeRoutes(api as unknown as Api, bridge))
    scope.register(async (api) => feedRoutes(api as unknown as Api, feed))
    scope.register(async (api) =>
      chainRoutes(
        api,
        chains,
        { isTaken: (host) => feed.isAt(host), named: (url) => prefixes.chainOf(url) },
        (chainApi) => {
          exchangeRoutes(chainApi)
          streamRoute(chainApi, stream)
          factStreamRoute(chainApi, facts)
          if (options.cosign !== undefined) cpuRoutes(chainApi, options.cosign)
        },
      ),
    )
  })
  return app
}
