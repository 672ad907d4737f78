// Starts the HTTP server of a process and logs its address.

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { openChains } from '../api/chains.ts'
import { createServer } from '../api/server.ts'
import type { DemoWallets } from '../api/site/page-config.ts'
import type { Config } from '../config/program-schema.ts'
import { UserError } from '../core/errors.ts'
import { fillPool, openPool } from './api-pool.ts'
import { apiSession } from './api-session.ts'
import type { Log } from './cli/log.ts'
import { depositProofs } from './deposit-proofs.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export interface Served {
  /** `http://127.0.0.1:7700` */
  url: string
  close(): Promise<void>
}

/** A URL of each chain that works on this machine. */
function addressesOf({ chains }: Pick<Config, 'chains'>, url: string): Record<string, string> {
  const { port, protocol } = new URL(url)
  const [only] = chains
  if (only !== undefined && chains.length === 1) return { [only.chain]: url }
  return Object.fromEntries(chains.map(({ chain }) => [chain, `${protocol}//${chain}.localhost:${port}`]))
}

/** Host in a URL; of a server that listens on all addresses the loopback one, because not every system reaches 0.0.0.0. */
function hostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Chain API URLs by chain, where configured. */
function nodesOf({ chains }: Pick<Config, 'chains'>): ReadonlyMap<string, string> {
  return new Map(chains.flatMap(({ chain, source: { http } }) => (http === undefined ? [] : [[chain, http]])))
}

/** @throws UserError PORT_IN_USE */
export async function serve(
  config: Config,
  databaseUrl: string,
  log: Log,
  options: { port?: number; registries?: readonly Registry[]; isDevelopment?: boolean; demo?: DemoWallets } = {},
): Promise<Served> {
  const { host, maxLagSeconds, maxReplayLagSeconds, rateLimit, trustProxy, logoDir, siteUrl, fundamentals, stream } =
    config
  const port = options.port ?? config.port
  const session = await apiSession(databaseUrl, log)
  const pool = openPool(databaseUrl, { max: 10, statement_timeout: 5000, options: session }, log)
  void fillPool(pool)
  // Loading a market reads far more than a request may: separate connections with a longer timeout.
  const loading = { max: Math.max(1, config.chains.length), statement_timeout: 300_000, options: session }
  const loadPool = openPool(databaseUrl, loading, log)
  const chains = openChains({ chains: config.chains, databaseUrl, pool, loadPool, log, logoDir, siteUrl, fundamentals })
  const { registries, isDevelopment, demo } = options
  const server = createServer({
    pool,
    chains: chains.contexts,
    evm: config.evm,
    bridge: {
      ledger: config.bridgeLedger,
      proofOfDeposit: depositProofs(config.evm, log, isDevelopment),
      pending: { nodes: nodesOf(config) },
    },
    feed: { ...config.feed, assets: config.feedAssets },
    cosign: config.cosign,
    site: { ...config.site, chains: config.chains, evm: config.evm, demo },
    maxLagSeconds,
    maxReplayLagSeconds,
    version,
    registries,
    rateLimit,
    trustProxy,
    stream,
    log,
  })
  const close = async () => {
    await server.close()
    await chains.close()
    await Promise.all([pool.end(), loadPool.end()])
  }
  try {
    await server.listen({ host, port })
  } catch (cause) {
    await close()
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new UserError('PORT_IN_USE', `port ${port} of ${host} is taken`, {
      hint: 'set PORT to another one, or to 0',
      cause,
    })
  }
  const address = server.server.address() as AddressInfo
  const urlAt = (port: number) => `http://${hostOf(host)}:${port}`
  const printed = urlAt(config.publishedPort ?? address.port)
  log.info('serves', { url: printed, chains: addressesOf(config, printed) })
  return { url: urlAt(address.port), close }
}
