// The client against the real server: answers, pages, errors, headers, posts, and answers cached by their ETag.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { clientTypes, GENERATED } from '../../client/generate.ts'
import { ApiError, createClient } from '../../client/index.ts'
import { id, NOW, TLM, WAX_SCENE } from '../api/exchange/scene.ts'
import { testApi, testChain } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

t.test('the generated types match the server', async (t) => {
  const committed = await readFile(GENERATED, 'utf8')
  t.ok(committed === (await clientTypes()), 'client/generated/openapi.ts is old: node --import tsx client/generate.ts')
})

t.test('a client of a server', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database, { chains: [testChain('wax', 'dev', { hosts: ['127.0.0.1'] })] })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
  const client = createClient({ baseUrl: `${baseUrl}/` })
  const count = async (sql: string) => Number((await database.pool.query(sql)).rows[0].count)

  t.test('bodies, and the block that they reflect', async (t) => {
    const pool = await client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: '0' } })
    t.match(pool, { id: 0, fee: 3000, tokenA: { id: id(TLM) } })
    t.equal(await client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: '77' } }), null)
    const { body, ...rest } = await client.ask('/api/v2/tokens/{tokenId}', { path: { tokenId: id(TLM) } })
    t.equal(body.symbol, 'TLM')
    t.same(rest, { block: 99_000_000, blockTime: new Date(NOW).toISOString(), next: null })
    const pools = await client.get('/api/v2/swap/pools', { query: { tokenA: id(TLM), tokenB: undefined } })
    t.same(
      pools.map((one) => one.id),
      [0, 1, 2],
    )
    t.match(await client.get('/metrics'), /^headwater_/m, 'text where the service answers with text')
  })

  t.test('all rows of a list, page after page', async (t) => {
    const swaps = []
    const given = { path: { poolId: '0' }, query: { limit: 37, from: NOW - 50 * 86_400_000 } }
    for await (const swap of client.rows('/api/v2/swap/pools/{poolId}/swaps', given)) swaps.push(swap)
    const since = `block_time >= to_timestamp(${given.query.from / 1000})`
    t.equal(swaps.length, await count(`select count(*) from ledger.swaps where pool_id = 0 and ${since}`))
    t.ok(swaps.length > 37 * 2)
    t.equal(new Set(swaps.map(({ _id }) => _id)).size, swaps.length, 'no row is repeated')
    const rest = []
    const skipping = { path: { account: 'alice' }, query: { skip: 5, limit: 50 } }
    for await (const deal of client.rows('/api/v2/account/{account}/deals', skipping)) rest.push(deal)
    t.equal(
      rest.length,
      (await count(`select count(*) from ledger.deals where 'alice' in (bidder, asker)`)) - 5,
      'all rows after the skipped ones',
    )
  })

  t.test('errors contain status and body', async (t) => {
    const asked = client.get('/api/v2/tokens/{tokenId}', { path: { tokenId: '../é#?' } })
    const unknown = await asked.then(t.fail, (error: unknown) => error as ApiError)
    t.ok(unknown instanceof ApiError)
    t.match(unknown, { status: 403, body: 'Token with this ID is not found', retryAfter: null })
    const waits = async (text: string) => {
      const busy = async () => new Response('busy', { status: 503, headers: { 'retry-after': text } })
      const error = await createClient({ baseUrl, fetch: busy })
        .get('/api/v2/tokens')
        .catch((cause: unknown) => cause)
      return (error as ApiError).retryAfter
    }
    t.equal(await waits('7'), 7)
    const inAMinute = await waits(new Date(Date.now() + 60_000).toUTCString())
    t.ok(inAMinute !== null && inAMinute > 50 && inAMinute <= 60, `${inAMinute} s to the date`)
    t.same([await waits('Thu, 01 Jan 2015 00:00:00 GMT'), await waits('soon')], [0, null])
    const bad = client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: 'x' } })
    await t.rejects(bad, { name: 'ApiError', status: 400, body: { message: 'pool id must be a number' } })
    // @ts-expect-error the parameter is missing
    await t.rejects(client.get('/api/v2/swap/pools/{poolId}', { path: {} }), /poolId/)
    const ended = client.get('/api/v2/tokens', { signal: AbortSignal.abort() })
    await t.rejects(ended, { name: 'AbortError' })
  })

  t.test('facts as they come', async (t) => {
    await database.pool.query(
      `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
       values ('wax', 99000000, sha256('block'), sha256('before'), $1, 'eosio')`,
      [new Date(NOW)],
    )
    const stop = new AbortController()
    for await (const message of client.facts({ query: { datasets: 'swaps' }, signal: stop.signal })) {
      t.match(message, { type: 'start', cursor: /^99000000-/ })
      break
    }
    const refused = client.facts({ query: { datasets: 'swops' } }).next()
    await t.rejects(refused, { name: 'ApiError', status: 400, body: { message: /^dataset swops is unknown/ } })
    const parts = [':\n\nid: 1\ndata: {"type":"progress","cur', 'sor":"1-é","lib":1}\n\n', 'data: {"type":"start"}\n\n']
    const cut = async () => new Response(ReadableStream.from(parts.map((part) => Buffer.from(part))) as ReadableStream)
    const read = []
    for await (const message of createClient({ baseUrl, fetch: cut }).facts()) read.push(message)
    t.same(read, [{ type: 'progress', cursor: '1-é', lib: 1 }, { type: 'start' }], 'messages in pieces, and its end')
  })

  t.test('cached answers are revalidated by their ETag', async (t) => {
    const statuses: number[] = []
    const counting: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      statuses.push(response.status)
      return response
    }
    const keeping = createClient({ baseUrl, fetch: counting, keep: 1 })
    const first = await keeping.ask('/api/v2/pairs')
    t.same(await keeping.ask('/api/v2/pairs'), first)
    await keeping.get('/api/v2/tickers')
    t.same(await keeping.ask('/api/v2/pairs'), first)
    t.same(statuses, [200, 304, 200, 200], 'one answer is cached')
  })

  t.test('headers of the caller are sent with every request', async (t) => {
    const sent: Record<string, string>[] = []
    const watching: typeof fetch = async (url, init) => {
      sent.push(Object.fromEntries(new Headers(init?.headers)))
      return fetch(url, init)
    }
    const fixed = createClient({
      baseUrl,
      fetch: watching,
      keep: 1,
      headers: { Authorization: 'Bearer one', 'X-None': undefined, 'If-None-Match': '"other"' },
    })
    await fixed.get('/api/v2/pairs')
    await fixed.get('/api/v2/pairs')
    t.same(sent[0], { authorization: 'Bearer one', 'if-none-match': '"other"' })
    t.match(sent[1], { authorization: 'Bearer one', 'if-none-match': /^(?!"other")/ }, 'the ETag of the client wins')
    const asked: string[] = []
    const made = createClient({
      baseUrl,
      fetch: watching,
      headers: async (url) => {
        asked.push(url)
        return { authorization: `Bearer ${asked.length}` }
      },
    })
    for await (const _ of made.rows('/api/v2/account/{account}/deals', { path: { account: 'alice' } })) break
    // This service has no cosigner.
    await t.rejects(made.post('/api/v2/cpu/status'), { name: 'ApiError', status: 404, body: {} })
    t.same(asked, [`${baseUrl}/api/v2/account/alice/deals`, `${baseUrl}/api/v2/cpu/status`])
    t.same(
      sent.slice(2).map(({ authorization }) => authorization),
      ['Bearer 1', 'Bearer 2'],
    )
    const broken = createClient({ baseUrl, headers: () => Promise.reject(new Error('no token')) })
    await t.rejects(broken.get('/api/v2/pairs'), { message: 'no token' })
  })

  t.test('ids as numbers, bigints and text are the same', async (t) => {
    const path = '/api/v2/account/{account}/deals'
    const [first] = await client.get(path, { path: { account: 'alice' } })
    const market = first!.market
    const found = []
    for (const id of [market, BigInt(market), String(market)])
      found.push(await client.get(path, { path: { account: 'alice' }, query: { market: id, limit: 3 } }))
    t.equal(found[0]?.length, 3)
    t.same(found[1], found[0])
    t.same(found[2], found[0])
    t.same(
      await client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: 0n } }),
      await client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: 0 } }),
    )
  })
})

t.test('bodies are posted as JSON to a service that sponsors CPU', async (t) => {
  const seen: { url: string | undefined; type: string | undefined; body: string }[] = []
  const cosigner = createHttpServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray()).toString()
    seen.push({ url: request.url, type: request.headers['content-type'], body })
    const isStatus = request.url === '/api/v2/cpu/status'
    const refused = body.includes('ff00')
    reply.statusCode = refused ? 400 : isStatus ? 200 : 201
    const answer = isStatus ? { available: true, signing: true, throttled: false, cpu: null, lastCheck: 1 } : {}
    reply.end(JSON.stringify(refused ? { error: 'Contract x is not allowed' } : { signature: 'SIG_K1_x', ...answer }))
  })
  cosigner.listen(0, '127.0.0.1')
  await once(cosigner, 'listening')
  t.teardown(() => cosigner.close())
  const cosign = { url: `http://127.0.0.1:${(cosigner.address() as AddressInfo).port}`, chain: 'wax' }
  const database = await testDatabase(t)
  const api = await testApi(t, database, { cosign, chains: [testChain('wax', 'dev', { hosts: ['127.0.0.1'] })] })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const client = createClient({ baseUrl: `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}` })
  t.match(await client.post('/api/v2/cpu/status'), { available: true, signing: true })
  const { signature } = await client.post('/api/v2/cpu/cosign', { body: { serializedTransaction: '00ff' } })
  t.equal(signature, 'SIG_K1_x', 'status 201 is an answer')
  t.match(seen.at(-1), {
    url: '/api/v2/cpu/cosign',
    type: 'application/json',
    body: '{"serializedTransaction":"00ff"}',
  })
  const refused = client.post('/api/v2/cpu/cosign', { body: { serializedTransaction: 'ff00' } })
  await t.rejects(refused, { name: 'ApiError', status: 400, body: { error: 'Contract x is not allowed' } })
})
