// The real server on a market in memory: blocks that change thousands of items cost only their messages.
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import type { ChainContext } from '../../../../api/chain-context.ts'
import { LogoLists } from '../../../../api/exchange/tokens/logo-lists.ts'
import { SILENT } from '../../../../api/http/log.ts'
import { OtherChains } from '../../../../api/live-market/other-chains.ts'
import type { StreamOptions } from '../../../../api/market/stream/market-stream.ts'
import { LiveRouter } from '../../../../api/route/live-router.ts'
import { createServer } from '../../../../api/server.ts'
import { BenchMarket, type Venues } from '../../../../bench/stream/market.ts'
import { testChain } from '../../../support/api.ts'

export interface MemoryServer {
  app: FastifyInstance
  port: number
  market: BenchMarket
  /** The server's sockets of all connections so far. */
  sockets: ReadonlySet<Socket>
  /** A metric of the stream; 0 before it has a value. */
  metric(name: string): Promise<number>
  /** The body of an answer of the market API. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  rest(path: string): Promise<any>
}

export async function memoryServer(
  t: { teardown(work: () => Promise<void>): void },
  venues: Venues,
  stream: Partial<StreamOptions>,
): Promise<MemoryServer> {
  const config = testChain('wax')
  const market = new BenchMarket(config, venues)
  const live = market.asLive()
  const pool = new pg.Pool({ max: 1 })
  const router = new LiveRouter(config, live)
  const logoLists = new LogoLists([], SILENT)
  const context: ChainContext = {
    chain: 'wax',
    config,
    pool,
    market: live,
    others: new OtherChains(),
    router,
    logoLists,
  }
  // Blocks of this size keep the process busy; it must not refuse the readers.
  const app = createServer({ pool, chains: [context], maxLagSeconds: 60, version: '0.0.0', stream, maxDelay: 0 })
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => sockets.add(socket))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await app.close()
    await pool.end()
  })
  const headers = { host: 'wax.localhost' }
  return {
    app,
    port: (app.server.address() as AddressInfo).port,
    market,
    sockets,
    async metric(name) {
      const { body } = await app.inject({ url: '/metrics', headers })
      const line = body.split('\n').find((one) => one.startsWith(`headwater_stream_${name} `))
      return Number(line?.split(' ')[1] ?? 0)
    },
    rest: async (path) => JSON.parse((await app.inject({ url: `/api/v3/market/${path}`, headers })).body),
  }
}
