// A reader that pauses gets the newest state of each changed item, without the states in between.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { madeVenues } from '../../../../bench/stream/venues.ts'
import { StreamClient } from './client.ts'
import { memoryServer } from './memory-server.ts'

const TOKENS = 1500
/** Blocks after the socket has stopped reading. */
const MISSED = 12
const POOLS = Array.from({ length: TOKENS }, (_, id) => id)

t.test('WS-17 a slow reader gets the newest state of each channel, and every price that moved', async (t) => {
  const { market, port, rest, sockets } = await memoryServer(
    t,
    madeVenues({ tokens: TOKENS, pools: TOKENS, books: 2 }),
    {},
  )
  const block = (pools: readonly number[], books: readonly number[] = []) =>
    market.tell(market.advance(market.read({ pools, books, change: 'price' })))

  const client = await StreamClient.open(t, port)
  client.subscribe('tokens')
  client.subscribe('pool', { id: 7 })
  client.subscribe('orderbook', { id: 1 })
  const [first] = await client.take(3)
  /** Current state, as a client of the stream builds it. */
  const believed = new Map<string, object>(first.tokens.map((one: { id: string }) => [one.id, one]))

  client.ws.pause()
  const waiting = () => [...sockets].reduce((sum, socket) => sum + socket.writableLength, 0)
  let [blocks, isStuck] = [0, false]
  for (; !isStuck && blocks < 400; blocks++) {
    block(POOLS)
    await delay(1)
    const held = waiting()
    if (held > 0) await delay(50)
    isStuck = held > 0 && waiting() === held
  }
  t.ok(isStuck, `after ${blocks} blocks the reader holds the server up`)
  const stopped = market.state.at.block
  // Each token changes in exactly one of these blocks, most of them only there; the pool and the market change in the
  // first.
  for (let i = 0; i < MISSED; i++) {
    block(
      POOLS.filter((id) => id % MISSED === i || id === 7),
      i === 0 ? [1] : [],
    )
    await delay(1)
  }
  const last = market.state.at.block
  client.ws.resume()
  const seen: number[] = []
  let [pools, books] = [0, 0]
  while (seen.at(-1) !== last || pools === 0 || books === 0) {
    const message = await client.next()
    if (message.channel === 'tokens') {
      seen.push(message.block)
      for (const one of message.tokens) believed.set(one.id, one)
    } else if (message.block > stopped) {
      if (message.channel === 'pool') {
        pools++
        t.same(message, { channel: 'pool', id: 7, ...(await rest('pools/7')) })
      } else {
        books++
        t.same(message, { channel: 'orderbook', id: 1, ...(await rest('orderbooks/1')) })
      }
    }
  }
  t.same(await client.rest(), [], 'nothing else is left')
  t.same([pools, books], [1, 1], 'one message for all that was missed')
  t.same(
    seen,
    [...new Set(seen)].sort((a, b) => a - b),
    'blocks in their order',
  )
  t.equal(seen.filter((one) => one > stopped).length, 1, 'one message of tokens for all blocks that were missed')
  const { tokens } = await rest('tokens')
  t.same(
    tokens.map(({ id }: { id: string }) => believed.get(id)),
    tokens,
    'no price is missing',
  )
})

t.test('WS-07 a removed item is sent as null once, and returns under the same subscription', async (t) => {
  const { market, port, rest } = await memoryServer(t, madeVenues({ tokens: 5, pools: 5, books: 2 }), {})
  const client = await StreamClient.open(t, port)
  client.subscribe('pool', { id: 3 })
  client.subscribe('orderbook', { id: 1 })
  const [pool, book] = await client.take(2)
  t.ok(pool.pool !== null && book.orderbook !== null)
  const reads = market.read({ pools: [3], books: [1], change: 'reserve' })
  market.tell(market.advance({ ...reads, pools: [], books: [], orders: [] }))
  const { block } = market.state.at
  t.same(await client.take(2), [
    { channel: 'pool', block, id: 3, pool: null },
    { channel: 'orderbook', block, id: 1, orderbook: null },
  ])
  t.match(await rest('pools/3'), { error: 'Unknown pool' })
  market.tell(market.advance(market.read({ pools: [0], change: 'reserve' })))
  t.same(await client.rest(), [], 'and no more than once')
  market.tell(market.advance(reads))
  t.same(await client.take(2), [
    { channel: 'pool', id: 3, ...(await rest('pools/3')) },
    { channel: 'orderbook', id: 1, ...(await rest('orderbooks/1')) },
  ])
  market.tell(market.advance({ ...reads, pools: [], books: [], orders: [] }))
  await client.take(2)
  client.unsubscribe('pool', { id: 3 })
  client.subscribe('pool', { id: 3 })
  t.match(await client.next(), { error: 'Unknown pool' }, 'to subscribe to what is gone is a mistake')
})
