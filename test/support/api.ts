// The real server on a test's database, with the chains of configuration profiles under test names.
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { ChainContext } from '../../api/chain-context.ts'
import { openChains } from '../../api/chains.ts'
import { SILENT } from '../../api/http/log.ts'
import { createServer, type ServerOptions } from '../../api/server.ts'
import type { Fundamentals } from '../../config/fundamentals.ts'
import { loadConfig } from '../../config/load.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { type TestDatabase, testPool } from './database.ts'

interface Test {
  teardown(work: () => Promise<void>): void
}

export interface TestApi {
  app: FastifyInstance
  contexts: readonly ChainContext[]
  /** Requests the chain `wax` unless a host header names another. */
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  /** Waits until the in-memory markets reach the database's positions. */
  catchUp(): Promise<void>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** The body as JSON; throws when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

/** A chain's shipped configuration, under another name. */
export function testChain(chain: string, profile = 'dev', changes: Partial<ChainConfig> = {}): ChainConfig {
  const { config } = loadConfig({ env: {}, program: { chains: [profile] }, rename: chain })
  return { ...(config.chains[0] as ChainConfig), hosts: [`${chain}.localhost`], ...changes }
}

export async function testApi(
  t: Test,
  { url }: TestDatabase,
  options: Partial<Omit<ServerOptions, 'chains'>> & {
    chains?: readonly ChainConfig[]
    logoDir?: string
    siteUrl?: string
    fundamentals?: Record<string, Fundamentals>
  } = {},
): Promise<TestApi> {
  const configs = options.chains ?? [testChain('wax')]
  const pool = options.pool ?? readOnly(t, url)
  const loadPool = readOnly(t, url)
  const chains = openChains({ ...options, chains: configs, databaseUrl: url, pool, loadPool, log: SILENT })
  // A machine that runs tests is busy: no request is refused for its load.
  const app = createServer({
    maxLagSeconds: 60,
    version: '0.0.0',
    maxDelay: 0,
    ...options,
    // Blocks of tests have any time, so no lag is too large.
    bridge: { maxLagSeconds: Number.MAX_SAFE_INTEGER, ...options.bridge },
    pool,
    chains: chains.contexts,
  })
  t.teardown(async () => {
    await app.close()
    await chains.close()
  })
  const { contexts } = chains
  const catchUp = async () => {
    for (const { market } of contexts) await market.catchUp()
  }
  await app.ready()
  await catchUp()
  return {
    app,
    contexts,
    catchUp,
    async get(path, headers = {}) {
      const answer = await app.inject({ url: path, headers: { host: 'wax.localhost', ...headers } })
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.payload,
        get body() {
          return JSON.parse(answer.payload)
        },
      }
    },
  }
}

/** A pool with the session settings of the program's API. */
export function readOnly(t: Test, url: string): pg.Pool {
  const options = '-c role=headwater_api -c default_transaction_read_only=on -c timezone=UTC'
  return testPool(t, url, { max: 4, options })
}
