// A server of the market stream that the benchmark measures.
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { ChainContext } from '../../api/chain-context.ts'
import { LogoLists } from '../../api/exchange/tokens/logo-lists.ts'
import { SILENT } from '../../api/http/log.ts'
import { OtherChains } from '../../api/live-market/other-chains.ts'
import { prepareLists } from '../../api/prepared-lists.ts'
import { LiveRouter } from '../../api/route/live-router.ts'
import { createServer } from '../../api/server.ts'
import { testChain } from '../../test/support/api.ts'
import { BenchMarket } from './market.ts'
import { madeVenues } from './venues.ts'
import { SIZE } from './watched.ts'
import { startWsServer } from './ws-server.ts'

export const CONTENDERS = ['ours', 'ws'] as const
export type Contender = (typeof CONTENDERS)[number]

export interface StreamServer {
  market: BenchMarket
  port: number
  /** Number of open connections. */
  connections(): Promise<number>
  close(): Promise<void>
}

/** @param most  limit of connections */
export async function startContender(contender: Contender, most: number): Promise<StreamServer> {
  const config = testChain('wax')
  const market = new BenchMarket(config, madeVenues(SIZE))
  const live = market.asLive()
  // As in the program, the lists of the other endpoints are updated as well.
  prepareLists(live, 'wax')
  const pool = new pg.Pool({ max: 1 })
  const router = new LiveRouter(config, live)
  const context: ChainContext = {
    chain: 'wax',
    config,
    pool,
    market: live,
    others: new OtherChains(),
    router,
    logoLists: new LogoLists([], SILENT),
  }
  if (contender === 'ws') return { market, ...(await startWsServer(context)) }
  // Clients that never read are dropped after two pings: after memory has been measured.
  const stream = { connections: most, stallSeconds: 3600, pingSeconds: 60 }
  const server = createServer({ pool, chains: [context], maxLagSeconds: 60, version: '0.0.0', stream, maxDelay: 0 })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    )
  const close = async () => {
    await server.close()
    await pool.end()
  }
  return { market, port, connections, close }
}
