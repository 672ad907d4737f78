// What an endpoint may use: one chain, chosen by the request's host. Nothing of another chain is within reach.
import type { Pool } from 'pg'
import type { Fundamentals } from '../config/fundamentals.ts'
import type { ChainConfig } from '../config/schema.ts'
import type { LogoLists } from './exchange/tokens/logo-lists.ts'
import type { LiveMarket } from './market/live-market.ts'
import type { LiveRouter } from './route/live-router.ts'

export interface ChainContext {
  /** Name of the chain as in hosts and in v2 answers. */
  chain: string
  config: ChainConfig
  /** Connections to the database; statements are read-only and time out. */
  pool: Pool
  /** Prices, pools, books and windows in memory, all as of one block. */
  market: LiveMarket
  /** Routes over the pools and books of the market, as of the same block. */
  router: LiveRouter
  /** Public lists of token logos. */
  logoLists: LogoLists
  /** Folder of own token logos. */
  logoDir?: string
  /** Public site of the exchange; the address of the request without it. */
  siteUrl?: string
  /** What is told of the projects behind tokens. */
  fundamentals?: Fundamentals
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The chain of the request's host. Set for every route under /api. */
    chain: ChainContext
  }
  interface FastifyContextConfig {
    /** The route answers although no market state is loaded yet. */
    withoutMarket?: boolean
  }
}
