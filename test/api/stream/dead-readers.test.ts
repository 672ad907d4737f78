// Real sockets that never read, on a market in memory whose blocks change thousands of tokens: they are dropped when they
// have taken nothing for the time allowed, and until then cost no more than one state.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import type { ChainContext } from '../../../api/chain-context.ts'
import { LogoLists } from '../../../api/exchange/tokens/logo-lists.ts'
import { SILENT } from '../../../api/http/log.ts'
import { LiveRouter } from '../../../api/route/live-router.ts'
import { createServer } from '../../../api/server.ts'
import { FRAGMENT } from '../../../api/stream/frame.ts'
import { BenchMarket } from '../../../bench/stream/market.ts'
import { testChain } from '../../support/api.ts'
import { StreamClient } from './client.ts'

const DEAD = 20
const POOLS = Array.from({ length: 1500 }, (_, id) => id)

/** Shakes hands and asks for a channel; then nobody reads any more. */
async function deadReader(t: { teardown(work: () => void): void }, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Host: wax.localhost']
  const head = ['GET /api/v3/market/stream HTTP/1.1', ...lines, 'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==']
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  if (!String(answer).startsWith('HTTP/1.1 101')) throw new Error(String(answer))
  socket.pause()
  const text = JSON.stringify({ op: 'subscribe', channel: 'tokens' })
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
  return socket
}

t.test('WS-17 sockets that never read are dropped in time, and hold no queue until then', async (t) => {
  const config = testChain('wax')
  const market = new BenchMarket(config, { tokens: 1500, pools: 1500, books: 1 })
  const live = market.asLive()
  const pool = new pg.Pool({ max: 1 })
  const logoLists = new LogoLists([], SILENT)
  const context: ChainContext = {
    chain: 'wax',
    config,
    pool,
    market: live,
    router: new LiveRouter(config, live),
    logoLists,
  }
  const stream = { stallSeconds: 2, pingSeconds: 6 }
  // Blocks of this size keep the process busy: it must not turn the readers away.
  const app = createServer({ pool, chains: [context], maxLagSeconds: 60, version: '0.0.0', stream, maxDelay: 0 })
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => sockets.add(socket))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await app.close()
    await pool.end()
  })
  const { port } = app.server.address() as AddressInfo
  const metric = async (name: string) => {
    const { body } = await app.inject({ url: '/metrics', headers: { host: 'wax.localhost' } })
    const line = body.split('\n').find((one) => one.startsWith(`headwater_stream_${name} `))
    return Number(line?.split(' ')[1] ?? 0)
  }

  const good = await StreamClient.open(t, port)
  good.subscribe('tokens')
  await good.next()
  for (let i = 0; i < DEAD; i++) await deadReader(t, port)
  let [most, blocks] = [0, 0]
  const started = performance.now()
  while ((await metric('connections{chain="wax"}')) > 1 && performance.now() - started < 20_000) {
    market.tell(market.advance(market.read({ pools: POOLS, change: 'price' })))
    blocks++
    t.equal((await good.next()).tokens.length, 1500)
    most = Math.max(
      most,
      [...sockets].reduce((sum, socket) => sum + socket.writableLength, 0),
    )
    await delay(20)
  }
  t.ok(blocks > 8, `${blocks} blocks of some 250 KB for each reader`)
  t.equal(await metric('connections{chain="wax"}'), 1, 'who reads is still there')
  t.equal(await metric('dropped_total{chain="wax",reason="slow"}'), DEAD)
  // One write of a fragment waits for each of them, however many blocks have come.
  t.ok(most < (DEAD + 1) * 1.1 * FRAGMENT, `${Math.round(most / 1024)} KB wait at most`)
})
