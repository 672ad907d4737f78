// Bodies are made once per block and sent many times, in the encoding that the client accepts.

import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import t from 'tap'
import { BodyCache } from '../../../api/http/body-cache.ts'

const mark = (block: number) => ({ block, id: block.toString(16).padStart(64, '0'), time: 0 })

function setUp() {
  const cache = new BodyCache()
  const made: string[] = []
  let at = 1
  const app = fastify()
  app.get('/:key', (request, reply) => {
    const { key } = request.params as { key: string }
    return cache.send(request, reply, key, mark(at), () => {
      made.push(`${key}@${at}`)
      return [Buffer.from(`["${key}",${at},`), Buffer.from(`"${'x'.repeat(2000)}"]`)]
    })
  })
  const get = (key: string, headers: Record<string, string> = {}) => app.inject({ url: `/${key}`, headers })
  return { get, made, moveTo: (block: number) => (at = block) }
}

t.test('a body is computed once for a block, in each encoding', async (t) => {
  const { get, made, moveTo } = setUp()
  const plain = await get('a')
  t.equal(plain.headers['content-encoding'], undefined)
  const open = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const encoding of ['br', 'gzip'] as const)
    for (let i = 0; i < 2; i++) {
      const answer = await get('a', { 'accept-encoding': encoding })
      t.equal(answer.headers['content-encoding'], encoding)
      t.equal(open[encoding](answer.rawPayload).toString(), plain.payload)
    }
  t.equal((await get('a', { 'accept-encoding': 'gzip;q=0.5, br;q=0' })).headers['content-encoding'], 'gzip')
  t.equal((await get('a', { 'accept-encoding': 'deflate, br;q=0.0' })).headers['content-encoding'], undefined)
  const wishes = {
    'br;q=0.1, gzip;q=1': 'gzip',
    'GZIP; q=0.5, br; q=0.6': 'br',
    '*': 'br',
    'br;q=0, *': 'gzip',
    'gzip;q=x': undefined,
  }
  for (const [wish, encoding] of Object.entries(wishes))
    t.equal((await get('a', { 'accept-encoding': wish })).headers['content-encoding'], encoding, wish)
  t.same(made, ['a@1'])
  moveTo(2)
  t.equal(JSON.parse((await get('a')).payload)[1], 2)
  t.same(made, ['a@1', 'a@2'])
})

t.test('a body that the client already has is not computed', async (t) => {
  const { get, made } = setUp()
  const { headers } = await get('a')
  made.length = 0
  const again = await get('b', { 'if-none-match': String(headers.etag) })
  t.same([again.statusCode, again.payload, made], [304, '', []])
})

t.test('a body that is often requested stays cached, however many others there are', async (t) => {
  const { get, made } = setUp()
  for (let i = 0; i < 100; i++) {
    await get('often')
    await get(`once-${i}`)
  }
  t.equal(made.filter((key) => key === 'often@1').length, 1)
})

t.test('the cache has limits: bodies, bytes, and bytes of one body', (t) => {
  const cache = new BodyCache({ bodies: 3, bytes: 100, longest: 60 })
  const keep = (key: string, length: number) => cache.set(key, '1', [Buffer.alloc(length)])
  const kept = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key, '1') !== null).join('')
  for (const key of ['a', 'b', 'c']) keep(key, 10)
  t.equal(kept(), 'abc')
  cache.get('a', '1')
  keep('d', 10)
  t.equal(kept(), 'acd', 'the least recently used body is evicted')
  t.equal(keep('e', 61).length, 61, 'a body above the limit is computed and not cached')
  t.equal(kept(), 'acd')
  keep('e', 60)
  keep('d', 45)
  t.equal(kept(), 'd', 'bytes count, those of a body that was replaced do not')
  t.equal(cache.get('d', '2'), null, 'of another version')
  t.end()
})

t.test('a body of megabytes arrives whole, however slowly it is read, and so does the next one', async (t) => {
  const pieces = Array.from({ length: 300 }, (_, i) => Buffer.alloc(i % 3 === 0 ? 60_000 : 200, `${i % 10}`))
  const whole = Buffer.concat(pieces)
  const cache = new BodyCache()
  const app = fastify()
  app.get('/', (request, reply) => cache.send(request, reply, 'all', mark(1), () => pieces))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const ask = async (method: string): Promise<IncomingMessage> => {
    const request = http.request({ host: '127.0.0.1', port, method, agent }).end()
    return (await once(request, 'response'))[0]
  }
  for (const pause of [0, 5]) {
    const answer = await ask('GET')
    const parts: Buffer[] = []
    for await (const part of answer) {
      parts.push(part)
      if (pause > 0) await delay(pause)
    }
    t.equal(answer.headers['content-length'], String(whole.length))
    t.ok(Buffer.concat(parts).equals(whole))
    const head = await ask('HEAD')
    t.same([head.headers['content-length'], (await head.toArray()).length], [String(whole.length), 0])
  }
  const gone = await ask('GET')
  gone.destroy()
  t.equal((await (await ask('GET')).toArray()).length > 0, true, 'who goes away stops nobody')
})
