// The market stream: messages after a subscription and after blocks, and the cases without a message.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { ActionCall } from '../../../../devnet/chain/contract.ts'
import { StreamClient } from './client.ts'
import { LiveExchange } from './live-exchange.ts'

const WAX = 'wax-eosio.token'
const TLM = 'tlm-alien.worlds'

t.test('a live exchange', async (t) => {
  const live = await LiveExchange.start(t)
  const { api, port } = live
  const rest = async (path: string) => (await api.get(`/api/v3/market/${path}`)).body
  /** Makes a block and returns the client's messages about it. */
  const after = async (client: StreamClient, ...transactions: ActionCall[][]) => {
    live.block(transactions)
    await live.caughtUp()
    await delay(20)
    return client.rest()
  }

  await t.test('WS-01 a plain handshake, from any origin', async (t) => {
    const client = await StreamClient.open(t, port, { origin: 'https://elsewhere.example' })
    client.subscribe('pool', { id: 0 })
    t.equal((await client.next()).channel, 'pool')
  })

  await t.test('WS-02 WS-13 WS-14 price: the mid at once, as the price endpoint answers it', async (t) => {
    const client = await StreamClient.open(t, port)
    client.subscribe('price', { base: TLM.toUpperCase(), quote: WAX })
    const { block, mid } = await rest(`price?base=${TLM}&quote=${WAX}`)
    t.same(await client.next(), { channel: 'price', block, base: TLM, quote: WAX, mid })
    t.match(mid, /^0\.1\d+$/)
    const [next] = await after(client, live.swap('WAX', 'TLM', 5000, [2]))
    const now = await rest(`price?base=${TLM}&quote=${WAX}`)
    t.same(next, { channel: 'price', block: now.block, base: TLM, quote: WAX, mid: now.mid })
    t.not(now.mid, mid)
    t.ok(next.block > block)
  })

  await t.test('WS-03 WS-14 pool: the pool as the pool endpoint answers it', async (t) => {
    const client = await StreamClient.open(t, port)
    client.subscribe('pool', { id: 2 })
    const { block, pool } = await rest('pools/2')
    t.same(await client.next(), { channel: 'pool', block, id: 2, pool })
    const [next] = await after(client, live.swap('WAX', 'TLM', 700, [2]))
    const now = await rest('pools/2')
    t.same(next, { channel: 'pool', block: now.block, id: 2, pool: now.pool })
    t.not(now.pool.sqrtPriceX64, pool.sqrtPriceX64)
  })

  await t.test('WS-04 WS-14 orderbook: the market with its orders', async (t) => {
    const client = await StreamClient.open(t, port)
    client.subscribe('orderbook', { id: 0 })
    t.same((await client.next()).orderbook, (await rest('orderbooks/0')).orderbook)
    const [next] = await after(client, live.order('TLM', 100, 'WAX', 15))
    const now = await rest('orderbooks/0')
    t.same(next, { channel: 'orderbook', block: now.block, id: 0, orderbook: now.orderbook })
    t.same(now.orderbook.asks, [{ price: '0.15', amount: '100.0000' }])
  })

  await t.test('WS-05 tokens: all at first, then those whose price moved', async (t) => {
    const client = await StreamClient.open(t, port)
    client.subscribe('tokens')
    const before = await rest('tokens')
    const first = await client.next()
    t.same(first.tokens, before.tokens)
    for (const token of first.tokens) t.same(token, (await rest(`tokens/${token.id}`)).token)
    const [next, ...more] = await after(client, live.swap('WAX', 'TLM', 900, [2]))
    t.same(more, [])
    const now = await rest('tokens')
    const moved = now.tokens.filter((token: { id: string; price: string }) => {
      const known = before.tokens.find((one: { id: string }) => one.id === token.id)
      return known.price !== token.price
    })
    t.same(next.tokens, moved)
    t.ok(moved.length > 0 && moved.length < now.tokens.length, `${moved.length} of ${now.tokens.length}`)
    t.equal(next.block, now.block)
  })

  await t.test('WS-06 one message for each subscription that a block changes, none for the others', async (t) => {
    const client = await StreamClient.open(t, port)
    for (const id of [0, 2, 5]) client.subscribe('pool', { id })
    client.subscribe('orderbook', { id: 1 })
    client.subscribe('price', { base: TLM, quote: WAX })
    await client.take(5)
    t.same(await after(client), [], 'an empty block')
    const seen = await after(client, live.swap('WAX', 'TLM', 50, [2]), live.swap('WAX', 'TLM', 60, [2]))
    t.same(seen.map(({ channel, id }) => `${channel} ${id}`).sort(), ['pool 2', 'price undefined'])
    const { text } = await api.get('/metrics')
    t.match(text, /^headwater_stream_lag_seconds_count\{chain="wax"\} [1-9]/m)
  })

  await t.test('WS-08 unsubscribe ends one subscription, the others continue', async (t) => {
    const client = await StreamClient.open(t, port)
    client.subscribe('pool', { id: 2 })
    client.subscribe('price', { base: TLM, quote: WAX })
    await client.take(2)
    client.unsubscribe('pool', { id: 2 })
    t.same(await client.rest(), [])
    const seen = await after(client, live.swap('WAX', 'TLM', 70, [2]))
    t.same(
      seen.map(({ channel }) => channel),
      ['price'],
    )
    client.unsubscribe('pool', { id: 2 })
    t.match(await client.next(), { error: 'Not subscribed', request: { channel: 'pool', id: 2 } })
  })

  await t.test('WS-09 WS-16 WS-19 errors are answered and the connection stays open', async (t) => {
    const client = await StreamClient.open(t, port)
    const wrong: [unknown, string][] = [
      ['{"op":', 'Invalid JSON'],
      ['[]', 'Invalid message'],
      ['null', 'Invalid message'],
      ['7', 'Invalid message'],
      [{}, 'Unknown op'],
      [{ op: 'hello' }, 'Unknown op'],
      [{ op: 'subscribe' }, 'Unknown channel'],
      [{ op: 'subscribe', channel: 'trades' }, 'Unknown channel'],
      [{ op: 'subscribe', channel: '__proto__' }, 'Unknown channel'],
      [{ op: 'subscribe', channel: 'price' }, 'Missing base'],
      [{ op: 'subscribe', channel: 'price', base: WAX }, 'Missing quote'],
      [{ op: 'subscribe', channel: 'price', base: WAX, quote: 7 }, 'Missing quote'],
      [{ op: 'subscribe', channel: 'price', base: WAX, quote: 'no-body' }, 'Unknown token'],
      [{ op: 'subscribe', channel: 'pool' }, 'Invalid pool id'],
      [{ op: 'subscribe', channel: 'pool', id: -1 }, 'Invalid pool id'],
      [{ op: 'subscribe', channel: 'pool', id: 1.5 }, 'Invalid pool id'],
      [{ op: 'subscribe', channel: 'pool', id: 'x' }, 'Invalid pool id'],
      [{ op: 'subscribe', channel: 'pool', id: 777 }, 'Unknown pool'],
      [{ op: 'subscribe', channel: 'pool', id: '18446744073709551615' }, 'Unknown pool'],
      [{ op: 'subscribe', channel: 'orderbook', id: 1e300 }, 'Invalid market id'],
      [{ op: 'subscribe', channel: 'orderbook', id: 777 }, 'Unknown market'],
      [{ op: 'unsubscribe', channel: 'tokens' }, 'Not subscribed'],
    ]
    for (const [message, error] of wrong) {
      client.send(message)
      const answer = await client.next()
      t.equal(answer.error, error, JSON.stringify(message))
      t.ok(answer.message.length > 10)
    }
    client.ws.send(Buffer.from([1, 2, 3]))
    t.equal((await client.next()).error, 'Binary message')
    client.subscribe('pool', { id: '2' })
    t.match(await client.next(), { channel: 'pool', id: 2, pool: { id: 2 } })
  })

  await t.test('WS-10 a hundred subscriptions, and no more until one ends', async (t) => {
    const client = await StreamClient.open(t, port)
    const ids = (await rest('tokens')).tokens.map(({ id }: { id: string }) => id)
    const pairs = ids.flatMap((base: string) => ids.map((quote: string) => ({ base, quote })))
    live.block(['EOS', 'ORE', 'GEM', 'LSW'].map((base) => live.market(base, 'TLM')))
    await live.caughtUp()
    const topics = pairs.map((pair: object) => ({ channel: 'price', ...pair }))
    for (const id of (await rest('pools')).pools) topics.push({ channel: 'pool', id: id.id })
    for (const { id } of (await rest('orderbooks')).orderbooks) topics.push({ channel: 'orderbook', id })
    t.ok(topics.length > 100, `${topics.length} things to subscribe to`)
    for (const { channel, ...more } of topics.slice(0, 100)) client.subscribe(channel, more)
    t.ok((await client.take(100)).every(({ error }) => error === undefined))
    client.subscribe('tokens')
    t.equal((await client.next()).error, 'Too many subscriptions')
    client.subscribe('price', pairs[7])
    t.match(await client.next(), { channel: 'price', ...pairs[7] }, 'one that is there already is no new one')
    client.unsubscribe('price', pairs[0])
    client.subscribe('tokens')
    t.equal((await client.next()).channel, 'tokens')
    const seen = await after(client, live.swap('WAX', 'TLM', 80, [2]))
    t.ok(seen.length > 10, 'the others are alive')
  })

  await t.test('WS-11 a repeated subscription is answered and counts once', async (t) => {
    const client = await StreamClient.open(t, port)
    for (let i = 0; i < 3; i++) {
      client.subscribe('pool', { id: 2 })
      t.equal((await client.next()).id, 2)
    }
    t.equal((await after(client, live.swap('WAX', 'TLM', 90, [2]))).length, 1)
    client.unsubscribe('pool', { id: 2 })
    t.same(await after(client, live.swap('WAX', 'TLM', 95, [2])), [])
  })

  await t.test('WS-07 a fork corrects the stream: items of orphaned blocks are removed', async (t) => {
    const client = await StreamClient.open(t, port)
    client.subscribe('pool', { id: 2 })
    client.subscribe('price', { base: TLM, quote: WAX })
    client.subscribe('tokens')
    const before = (await client.take(3)).find(({ channel }) => channel === 'pool')
    live.settle()
    await live.caughtUp()
    await client.rest()
    const market = (await rest('orderbooks')).orderbooks.length
    live.block([live.swap('WAX', 'TLM', 20_000, [2])])
    live.block([live.market('ORE', 'WAX')])
    live.block([live.order('ORE', 100, 'WAX', 3)])
    await live.caughtUp()
    client.subscribe('orderbook', { id: market })
    const lost = await client.rest()
    const lostPool = lost.find(({ channel }) => channel === 'pool')
    t.not(lostPool.pool.price, before.pool.price)
    t.equal(lost.at(-1).orderbook.bestAsk, '0.03')
    live.chain.fork(3)
    for (let i = 0; i < 4; i++) live.block()
    await live.caughtUp()
    await delay(20)
    const corrected = await client.rest()
    const now = await rest('pools/2')
    t.same(corrected.find(({ channel }) => channel === 'pool').pool, now.pool)
    t.equal(now.pool.price, before.pool.price)
    const mids = corrected.filter(({ channel }) => channel === 'price').map(({ mid }) => mid)
    t.equal(mids.at(-1), (await rest(`price?base=${TLM}&quote=${WAX}`)).mid)
    t.equal(corrected.find(({ channel }) => channel === 'orderbook').orderbook, null)
    const token = corrected.findLast(({ channel }) => channel === 'tokens').tokens.find(({ id }: never) => id === TLM)
    t.same(token, (await rest(`tokens/${TLM}`)).token)
    client.subscribe('orderbook', { id: market })
    t.equal((await client.next()).error, 'Unknown market', 'it is not there any more')
    live.block([live.market('ORE', 'WAX')])
    await live.caughtUp()
    t.match((await client.rest()).at(-1), {
      channel: 'orderbook',
      id: market,
      orderbook: { id: market, bestAsk: null },
    })
  })

  await t.test(
    'a live connection loses no change during a restart of the indexer, also with a fork meanwhile',
    async (t) => {
      const client = await StreamClient.open(t, port)
      client.subscribe('pool', { id: 2 })
      client.subscribe('price', { base: TLM, quote: WAX })
      await client.take(2)
      live.settle()
      await live.caughtUp()
      live.block([live.swap('WAX', 'TLM', 300, [2])])
      await live.caughtUp()
      await client.rest()
      await live.stopIndexer()
      // Blocks are made while no indexer runs; a fork replaces the last indexed one.
      live.chain.fork(1)
      for (let i = 0; i < 3; i++) live.block([live.swap('WAX', 'TLM', 40 + i, [2])])
      t.same(await client.rest(), [], 'nothing to say meanwhile')
      live.startIndexer()
      await live.caughtUp()
      await delay(20)
      const seen = await client.rest()
      const now = await rest('pools/2')
      t.equal(now.block, live.chain.head.num)
      t.same(seen.findLast(({ channel }) => channel === 'pool').pool, now.pool)
      const { mid } = await rest(`price?base=${TLM}&quote=${WAX}`)
      t.equal(seen.findLast(({ channel }) => channel === 'price').mid, mid)
      t.equal((await after(client, live.swap('WAX', 'TLM', 77, [2]))).length, 2, 'and it goes on')
    },
  )

  await t.test('over many blocks and forks the stream sends what the endpoints answer', async (t) => {
    const client = await StreamClient.open(t, port)
    const last = new Map<string, string>()
    const ids = [...api.contexts[0]!.market.state!.pools.keys()]
    for (const id of ids) client.subscribe('pool', { id })
    for (const id of [0, 1, 2, 3]) client.subscribe('orderbook', { id })
    for (let round = 0; round < 12; round++) {
      live.block([live.swap('WAX', 'USDT', 100 + round, [round % 2]), live.order('TLM', 10 + round, 'WAX', 2 + round)])
      live.block([live.swap('TLM', 'WAX', 100 + round, [2])])
      if (round % 4 === 3) {
        live.chain.fork(2)
        live.block([live.swap('USDT', 'WAX', 3 + round, [1])])
        live.block()
        live.block()
      }
      await live.caughtUp()
      await delay(10)
      for (const { channel, id, pool, orderbook } of await client.rest())
        last.set(`${channel}s/${id}`, JSON.stringify(pool ?? orderbook))
      for (const path of [...ids.map((id) => `pools/${id}`), ...[0, 1, 2, 3].map((id) => `orderbooks/${id}`)]) {
        const { pool, orderbook } = await rest(path)
        t.equal(last.get(path), JSON.stringify(pool ?? orderbook), `round ${round}: ${path}`)
      }
    }
  })
})
