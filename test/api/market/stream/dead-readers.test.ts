// Real sockets that never read, on a market in memory whose blocks change thousands of tokens. The server closes them
// after the time allowed without progress; until then each costs at most the memory of one state.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { FRAGMENT } from '../../../../api/market/stream/frame.ts'
import { madeVenues } from '../../../../bench/stream/venues.ts'
import { clientFrame, rawSocket, StreamClient } from './client.ts'
import { memoryServer } from './memory-server.ts'

const DEAD = 20
const POOLS = Array.from({ length: 1500 }, (_, id) => id)

t.test('WS-17 sockets that never read are dropped in time, and hold no queue until then', async (t) => {
  const size = { tokens: 1500, pools: 1500, books: 1 }
  const { market, port, metric, sockets } = await memoryServer(t, madeVenues(size), { stallSeconds: 2, pingSeconds: 6 })

  const good = await StreamClient.open(t, port)
  good.subscribe('tokens')
  await good.next()
  for (let i = 0; i < DEAD; i++)
    (await rawSocket(t, port)).write(clientFrame(JSON.stringify({ op: 'subscribe', channel: 'tokens' })))
  let [most, blocks] = [0, 0]
  const started = performance.now()
  // On a busy machine the first blocks may take longer than the limit of a stall.
  const areThere = async () => (await metric('connections{chain="wax"}')) > 1
  while (blocks <= 8 || ((await areThere()) && performance.now() - started < 120_000)) {
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
  // One fragment is queued for each socket, regardless of the number of blocks.
  t.ok(most < (DEAD + 1) * 1.1 * FRAGMENT, `${Math.round(most / 1024)} KB wait at most`)
})
