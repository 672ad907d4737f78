// The chains of a process. Each has a live market; one database listener updates all of them.
import type { Pool } from 'pg'
import type { Fundamentals } from '../config/fundamentals.ts'
import type { ChainConfig } from '../config/schema.ts'
import { cachePoolItems } from './analytics/cached-pool-items.ts'
import type { ChainContext } from './chain-context.ts'
import { LogoLists } from './exchange/tokens/logo-lists.ts'
import type { Log } from './http/log.ts'
import { announcements } from './live-market/announcements.ts'
import { LiveMarket } from './live-market/live-market.ts'
import { OtherChains } from './live-market/other-chains.ts'
import { paced } from './live-market/paced.ts'
import { prepareLists } from './prepared-lists.ts'
import { LiveRouter } from './route/live-router.ts'

export interface ChainsOptions {
  chains: readonly ChainConfig[]
  databaseUrl: string
  /** For endpoints: read-only, with a statement timeout. */
  pool: Pool
  /** For loading markets: without a statement timeout. */
  loadPool: Pool
  log: Log
  logoDir?: string
  siteUrl?: string
  /** Information about the tokens' projects, by chain. */
  fundamentals?: Record<string, Fundamentals>
}

export interface OpenChains {
  contexts: ChainContext[]
  close(): Promise<void>
}

/** Minimum interval between signals to the stream of facts, milliseconds: its reads are short, and it promises blocks at once. */
const BETWEEN_ANNOUNCEMENTS_MS = 10

/** Starts to load and follow the chains without waiting. Until a chain is loaded, its endpoints answer 503. */
export function openChains(options: ChainsOptions): OpenChains {
  const { chains, databaseUrl, pool, loadPool, log, logoDir, siteUrl, fundamentals } = options
  const others = new OtherChains()
  const contexts = chains.map((config) => {
    const market = new LiveMarket(loadPool, config, log)
    prepareLists(market, config.chain)
    cachePoolItems(market)
    return {
      chain: config.chain,
      config,
      pool,
      market,
      others,
      router: new LiveRouter(config, market),
      logoLists: new LogoLists(config.logoLists, log),
      logoDir,
      siteUrl,
      fundamentals: fundamentals?.[config.chain],
    }
  })
  // Any reader of the database can send a notification, so it is only a hint to check for a new block.
  const hints = contexts.map(({ chain, market }) => ({
    chain,
    announce: paced(() => market.announce(), BETWEEN_ANNOUNCEMENTS_MS),
    step: paced(() => void market.catchUp()),
  }))
  const names = new Set(chains.map(({ chain }) => chain))
  const follow = (chain: string | null) => {
    if (chain !== null && !names.has(chain)) return others.announce(chain)
    for (const { chain: own, announce, step } of hints) {
      if (chain !== null && own !== chain) continue
      announce()
      step()
    }
  }
  for (const { logoLists } of contexts) logoLists.start()
  const listener = announcements(databaseUrl, pool, follow, log)
  return {
    contexts,
    async close() {
      for (const { logoLists } of contexts) logoLists.stop()
      await listener.close()
      await Promise.all(contexts.map(({ market }) => market.close()))
    },
  }
}
