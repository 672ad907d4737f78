// Own process: it measures the memory of its process.
// Limits of connections: number and origin, duration, and cost for the server.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { WebSocket } from 'ws'
import { STREAM_DEFAULTS, type StreamOptions } from '../../../../api/market/stream/market-stream.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { until } from '../../../support/until.ts'
import { idOf, token, WAX, writeChain } from '../hand-made.ts'
import { clientFrame, rawSocket, StreamClient } from './client.ts'

const NEAR = token('NEAR')
/** A token whose pool is too small to price it. */
const THIN = token('THIN')
const PATH = '/api/v3/market/stream'

t.test('the stream of a small chain', async (t) => {
  const database = await testDatabase(t)
  await writeChain(database.pool, 'wax', {
    pools: [
      { id: 0, a: [WAX, 10_000], b: [NEAR, 40_000] },
      { id: 1, a: [WAX, 50], b: [THIN, 300] },
    ],
  })

  const open = async (t: Parameters<typeof testApi>[0], stream: Partial<StreamOptions> = {}) => {
    const api = await testApi(t, database, { stream })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    return { api, port: (api.app.server.address() as AddressInfo).port }
  }
  const metric = async (api: TestApi, name: string) => {
    const { text } = await api.get('/metrics')
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`headwater_stream_${name} `))
        ?.split(' ')[1] ?? 0,
    )
  }
  /** Status and body of a handshake that is refused. */
  const refused = async (port: number, path: string, host = 'wax.localhost') => {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { host } })
    ws.on('error', () => {})
    const [request, response] = await once(ws, 'unexpected-response')
    let text = ''
    for await (const part of response) text += part
    request.destroy()
    return { status: response.statusCode, body: JSON.parse(text), headers: response.headers }
  }

  await t.test('WS-15 a pair without a price has a null mid', async (t) => {
    const { port } = await open(t)
    const client = await StreamClient.open(t, port)
    client.subscribe('price', { base: idOf(THIN), quote: idOf(NEAR) })
    t.match(await client.next(), { channel: 'price', base: idOf(THIN), quote: idOf(NEAR), mid: null })
  })

  await t.test('WS-12 a client that answers pings stays, one that does not is dropped', async (t) => {
    const { api, port } = await open(t, { pingSeconds: 0.6 })
    const good = await StreamClient.open(t, port)
    const silent = await StreamClient.open(t, port, { autoPong: false })
    t.equal(await metric(api, 'connections{chain="wax"}'), 2)
    t.equal(await silent.ended(), 1006)
    t.ok(silent.pings >= 1)
    const pings = good.pings
    await until('two more pings', () => good.closed !== null || good.pings >= pings + 2)
    t.equal(good.closed, null)
    t.ok(good.pings >= 2, `${good.pings} pings`)
    t.equal(STREAM_DEFAULTS.pingSeconds, 30, 'unless a test says otherwise')
    t.equal(await metric(api, 'dropped_total{chain="wax",reason="silent"}'), 1)
    t.equal(await metric(api, 'connections{chain="wax"}'), 1)
  })

  await t.test('WS-16 a message that is too long ends its connection and no other', async (t) => {
    const { port } = await open(t, { messageBytes: 500 })
    const [one, other] = [await StreamClient.open(t, port), await StreamClient.open(t, port)]
    one.send(JSON.stringify({ op: 'subscribe', channel: 'tokens', more: 'x'.repeat(600) }))
    t.equal(await one.ended(), 1009)
    other.subscribe('tokens', { more: 'x'.repeat(300) })
    t.equal((await other.next()).tokens.length, 3)
  })

  await t.test('WS-16 frames that no client may send end their connection and no other', async (t) => {
    const { port } = await open(t)
    const other = await StreamClient.open(t, port)
    const subscribe = JSON.stringify({ op: 'subscribe', channel: 'pool', id: 0 })
    const unmasked = Buffer.concat([Buffer.from([0x81, subscribe.length]), Buffer.from(subscribe)])
    const wrong: [string, Buffer, number][] = [
      ['without a mask', unmasked, 1002],
      ['a reserved bit', clientFrame(subscribe, 0xc1), 1002],
      ['an operation that there is not', clientFrame(subscribe, 0x83), 1002],
      ['a continuation of nothing', clientFrame(subscribe, 0x80), 1002],
      ['no UTF-8', clientFrame(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 1007],
      ['a ping that is too long', clientFrame('x'.repeat(200), 0x89), 1002],
    ]
    for (const [what, frame, code] of wrong) {
      const socket = await rawSocket(t, port)
      socket.write(frame)
      let bytes = Buffer.alloc(0)
      for await (const part of socket) bytes = Buffer.concat([bytes, part])
      t.same([bytes[0], bytes.readUInt16BE(2)], [0x88, code], what)
    }
    const parts = await rawSocket(t, port)
    for (const [first, part] of [
      [0x01, subscribe.slice(0, 9)],
      [0x89, 'ping'],
      [0x80, subscribe.slice(9)],
    ] as const)
      parts.write(clientFrame(part, first))
    let text = ''
    for await (const part of parts) if ((text += part.toString('latin1')).includes('"pool":{')) break
    t.ok(text.startsWith('\x8a\x04ping'), 'a message in parts, with a ping between them')
    other.subscribe('pool', { id: 0 })
    t.equal((await other.next()).channel, 'pool')
  })

  await t.test('WS-09 thousands of mistakes and pings at once are all answered, in their order', async (t) => {
    const { port } = await open(t)
    const client = await StreamClient.open(t, port)
    let pongs = 0
    client.ws.on('pong', (data) => {
      if (String(data) === String(pongs)) pongs++
    })
    const many = 3000
    for (let i = 0; i < many; i++) {
      client.send({ op: `mistake ${i}` })
      client.ws.ping(String(i))
    }
    client.subscribe('pool', { id: 0 })
    const answers = await client.take(many)
    t.ok(answers.every(({ error, request }, i) => error === 'Unknown op' && request.op === `mistake ${i}`))
    t.equal((await client.next()).channel, 'pool', 'and the connection works')
    t.equal(pongs, many)
  })

  await t.test('WS-18 handshakes at other paths, for no chain and beyond the limits are refused', async (t) => {
    const { api, port } = await open(t, { connections: 3, connectionsPerAddress: 2 })
    for (const path of ['/', '/api/v2/tokens', '/api/v3/market/streams', '/socket.io/?EIO=4&transport=websocket'])
      t.match(await refused(port, path), { status: 404, body: { error: String } }, path)
    t.match(await refused(port, PATH, 'feed.localhost'), { status: 404, body: { error: 'Unknown network' } })
    const clients = [await StreamClient.open(t, port), await StreamClient.open(t, port)]
    t.match(await refused(port, PATH), { status: 429, body: { message: /your address/ } })
    t.equal(await metric(api, 'refused_total{chain="wax"}'), 1)
    clients[0]!.ws.close()
    await clients[0]!.ended()
    await until('the server knows', async () => (await metric(api, 'connections{chain="wax"}')) === 1)
    await StreamClient.open(t, port)
    const few = await open(t, { connections: 0 })
    t.match(await refused(few.port, PATH), { status: 503, headers: { 'retry-after': '10' } })
  })

  await t.test(
    'plain HTTP at the stream gets a hint how to connect; other upgrades are ordinary requests',
    async (t) => {
      const { api, port } = await open(t)
      const body = { error: 'Upgrade Required', message: /WebSocket/ }
      t.match(await api.get(PATH), { status: 426, headers: { upgrade: 'websocket' }, body })
      const raw = async (lines: string[]) => {
        const socket = connect(port, '127.0.0.1')
        t.teardown(() => socket.destroy())
        socket.write(`${lines.join('\r\n')}\r\nHost: wax.localhost\r\n\r\n`)
        let text = ''
        for await (const part of socket) text += part
        return text
      }
      const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']
      t.match(await raw(['GET /api/v3/market/pools/0 HTTP/1.1', ...upgrade]), /^HTTP\/1\.1 200 OK[\s\S]*"pool":/)
      t.match(await raw(['POST /api/v2/tokens HTTP/1.1', ...upgrade]), /^HTTP\/1\.1 400 /)
      t.match(await raw([`GET ${PATH} HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket']), /^HTTP\/1\.1 400 /)
      t.equal((await api.get('/api/v3/market/pools/0')).status, 200)
    },
  )

  await t.test('WS-17 a client that does not read is dropped, and the others are served meanwhile', async (t) => {
    const { api, port } = await open(t, { stallSeconds: 1, pingSeconds: 3 })
    const good = await StreamClient.open(t, port)
    const socket = await rawSocket(t, port)
    // Errors that repeat the request turn short messages into long answers.
    const frame = clientFrame(JSON.stringify({ op: 'x', pad: 'y'.repeat(400) }))
    const flood = Buffer.concat(Array.from({ length: 200 }, () => frame))
    const before = process.memoryUsage().rss
    for (let i = 0; i < 300 && (await metric(api, 'connections{chain="wax"}')) === 2; i++) {
      socket.write(flood)
      await delay(10)
    }
    await until('it is dropped', async () => (await metric(api, 'connections{chain="wax"}')) === 1, 10)
    t.equal(await metric(api, 'connections{chain="wax"}'), 1)
    t.ok(process.memoryUsage().rss - before < 200 * 2 ** 20)
    good.subscribe('price', { base: idOf(NEAR), quote: idOf(WAX) })
    t.match(await good.next(), { mid: '0.25' })
  })

  await t.test('metrics, and a shutdown that notifies the clients', async (t) => {
    const { api, port } = await open(t)
    const client = await StreamClient.open(t, port)
    client.subscribe('pool', { id: 0 })
    client.subscribe('tokens')
    client.send('x')
    await client.take(3)
    t.equal(await metric(api, 'subscriptions{chain="wax",channel="pool"}'), 1)
    t.equal(await metric(api, 'subscriptions{chain="wax",channel="price"}'), 0)
    t.equal(await metric(api, 'messages_total{chain="wax",channel="tokens"}'), 1)
    t.equal(await metric(api, 'messages_total{chain="wax",channel="error"}'), 1)
    const started = performance.now()
    await api.app.close()
    t.equal(await client.ended(), 1001)
    // A client that answers nothing is dropped after half a second; without that, `ws` waits 30 seconds.
    t.ok(performance.now() - started < 20_000)
  })
})
