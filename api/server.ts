// The HTTP server. What it answers is in the database; what it keeps in memory follows from that.
import fastify, { type FastifyInstance } from 'fastify'
import type { ChainContext } from './chain-context.ts'
import { chainRoutes } from './http/chain-routes.ts'
import { answerFailures } from './http/failures.ts'
import { keepFresh } from './http/freshness.ts'
import { type GuardOptions, guard, openToAll } from './http/guards.ts'
import { type Log, SILENT } from './http/log.ts'
import { describeApi, describeRoutes } from './http/openapi.ts'
import { parseQuery } from './http/query.ts'
import { type OperateOptions, operateRoutes } from './operate/routes.ts'
import { statusPage } from './operate/status-page.ts'
import { exchangeRoutes } from './routes.ts'

export interface ServerOptions extends Omit<OperateOptions, 'chains' | 'isLoaded'>, Partial<GuardOptions> {
  chains: readonly ChainContext[]
  /** Proxies in front whose `X-Forwarded-For` is believed: addresses or ranges. None by default. */
  trustProxy?: string[]
  log?: Log
}

/** Longest path parameter: two token ids of a ticker, with room. */
const LONGEST_PARAMETER = 256

/** Makes the server with all routes; the caller lets it listen and closes it. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { chains, rateLimit = 0, log = SILENT } = options
  const app = fastify({
    // Open connections end with the server: a shutdown takes no longer than the requests under way.
    forceCloseConnections: 'idle',
    trustProxy: options.trustProxy !== undefined && options.trustProxy.length > 0 ? options.trustProxy : false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER, querystringParser: parseQuery, ignoreTrailingSlash: true },
  })
  answerFailures(app, log)
  keepFresh(app)
  openToAll(app)
  describeApi(app, options.version)
  app.register(async (open) => {
    const isLoaded = (name: string) => chains.some(({ chain, market }) => chain === name && market.state !== null)
    operateRoutes(open, { ...options, chains: chains.map(({ chain }) => chain), isLoaded })
    describeRoutes(open)
    statusPage(open)
  })
  app.register(async (scope) => {
    guard(scope, { rateLimit })
    scope.register(async (api) => chainRoutes(api, chains, exchangeRoutes))
  })
  return app
}
