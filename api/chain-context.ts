// The state that an endpoint may use: one chain, selected by the request's host. Other chains are not reachable from
// it.
import type { Pool } from 'pg'
import type { Fundamentals } from '../config/fundamentals.ts'
import type { ChainConfig } from '../config/schema.ts'
import type { LogoLists } from './exchange/tokens/logo-lists.ts'
import type { LiveMarket } from './live-market/live-market.ts'
import type { OtherChains } from './live-market/other-chains.ts'
import type { LiveRouter } from './route/live-router.ts'

export interface ChainContext {
  /** Name of the chain in hosts and in v2 answers. */
  chain: string
  config: ChainConfig
  /** Database connections; statements are read-only and have a timeout. */
  pool: Pool
  /** In-memory prices, pools, books and time windows as of one block. */
  market: LiveMarket
  /** Announcements of blocks of chains without a context, the same for all contexts. */
  others: OtherChains
  /** Routes over the market's pools and books, as of the same block. */
  router: LiveRouter
  /** Public lists of token logos. */
  logoLists: LogoLists
  /** Folder of the operator's token logos. */
  logoDir?: string
  /** Public site of the exchange. Default: the address of the request. */
  siteUrl?: string
  /** Information about the tokens' projects. */
  fundamentals?: Fundamentals
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The chain of the request's host. Set for every route under /api. */
    chain: ChainContext
    /** `/telos` when the URL names the chain, else empty. Addresses in answers begin with it. */
    chainPrefix: string
  }
  interface FastifyContextConfig {
    /** Whether the route answers before the market is loaded. */
    withoutMarket?: boolean
  }
}
