// Behaviour of all endpoints: hosts, blocks, conditional requests, compression, errors, the description.
import { once } from 'node:events'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import t from 'tap'
import { answerFailures } from '../../../api/http/failures.ts'
import { keepFresh } from '../../../api/http/freshness.ts'
import { SILENT } from '../../../api/http/log.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexRecording } from '../../indexer/replay/index-recording.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase, testPool } from '../../support/database.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname

t.test('a server of two chains', async (t) => {
  const database = await testDatabase(t)
  await indexRecording(database.url, 'wax', new ReplaySource(path))
  const api = await testApi(t, database, { chains: [testChain('wax'), testChain('telos')] })
  const { rows } = await database.pool.query(
    `select block_num::text as num, block_time as time from meta.position where chain = 'wax'`,
  )
  const head = rows[0] as { num: string; time: Date }

  t.test('GEN-07 the host of each request selects its chain', async (t) => {
    const asked = ['wax', 'telos', 'wax', 'telos', 'wax'].map(async (chain) => {
      const { body } = await api.get('/api/v3/meta', { host: `${chain}.localhost` })
      return [chain, body.chain]
    })
    for (const [chain, answered] of await Promise.all(asked)) t.equal(answered, chain)
  })

  t.test('an unknown host is an unknown network', async (t) => {
    const answer = await api.get('/api/v3/meta', { host: 'nowhere.localhost' })
    t.same(
      [answer.status, answer.body],
      [404, { error: 'Unknown network', hosts: ['wax.localhost', 'telos.localhost'] }],
    )
  })

  t.test('an answer says of which block it is', async (t) => {
    const { headers, body } = await api.get('/api/v3/meta')
    t.equal(headers['x-block-num'], head.num)
    t.equal(headers['x-block-time'], head.time.toISOString())
    t.equal(body.block, Number(head.num))
    t.same(body.thresholds, { liquidityUsd: 100, liquiditySystem: 500, trustedScore: 41 }, 'NS-01')
    t.match(headers['content-type'], /^application\/json/)
  })

  t.test('a client with a current ETag gets 304 without a body', async (t) => {
    const { headers } = await api.get('/api/v3/meta')
    const tag = String(headers.etag)
    for (const known of [tag, `"x", ${tag}`, tag.replace('W/', ''), '*']) {
      const again = await api.get('/api/v3/meta', { 'if-none-match': known })
      t.same([again.status, again.text, again.headers.etag], [304, '', tag], known)
    }
    t.equal((await api.get('/api/v3/meta', { 'if-none-match': 'W/"1-0"' })).status, 200)
    const any = { 'if-none-match': '*' }
    t.equal((await api.get('/api/v2/tokens/nope-nowhere', any)).status, 403, 'an error has no ETag to compare')
    t.equal((await api.get('/api/v2/swap/pools', any)).status, 304)
  })

  t.test('also for HEAD, and when the tag is known only at the end', async (t) => {
    const app = fastify()
    t.teardown(() => app.close())
    answerFailures(app, SILENT)
    keepFresh(app)
    app.get('/at-the-end', (_request, reply) => reply.header('etag', 'W/"7"').send({ seven: 7 }))
    for (const method of ['GET', 'HEAD'] as const) {
      const known = await app.inject({ method, url: '/at-the-end', headers: { 'if-none-match': 'W/"7"' } })
      t.same([known.statusCode, known.payload, known.headers.etag], [304, '', 'W/"7"'], method)
      t.equal(known.headers['content-length'], undefined, 'the length of what the client has is not 0')
      const unknown = await app.inject({ method, url: '/at-the-end', headers: { 'if-none-match': 'W/"6"' } })
      t.same([unknown.statusCode, unknown.headers['content-length']], [200, '11'], method)
    }
  })

  t.test('GEN-19 other sites may read answers and the headers of this API', async (t) => {
    const { headers } = await api.get('/api/v3/meta', { origin: 'https://example.org' })
    t.equal(headers['access-control-allow-origin'], '*')
    t.match(headers['access-control-expose-headers'], /x-block-num/i)
    const asked = await api.app.inject({
      method: 'OPTIONS',
      url: '/api/v3/meta',
      headers: { host: 'wax.localhost', origin: 'https://example.org', 'access-control-request-method': 'GET' },
    })
    t.equal(asked.statusCode, 204)
    const bare = await api.app.inject({ method: 'OPTIONS', url: '/api/v3/meta', headers: { host: 'wax.localhost' } })
    t.same([bare.statusCode, bare.headers['access-control-allow-methods']], [204, 'GET, HEAD, POST, OPTIONS'])
    const head = await api.app.inject({ method: 'HEAD', url: '/api/v3/meta', headers: { host: 'wax.localhost' } })
    t.same([head.statusCode, head.payload], [200, ''])
  })

  t.test('GEN-01 nothing can be posted', async (t) => {
    const { statusCode } = await api.app.inject({
      method: 'POST',
      url: '/api/v3/meta',
      headers: { host: 'wax.localhost' },
    })
    t.ok([404, 405].includes(statusCode))
  })

  t.test('a chain without data says so, and when to come back', async (t) => {
    const asked = await api.get('/api/v2/tokens', { host: 'telos.localhost' })
    t.same([asked.status, asked.headers['retry-after']], [503, '1'])
  })

  t.test('large answers are compressed as the client can', async (t) => {
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [encoding, open] of Object.entries(decode)) {
      const answer = await api.app.inject({ url: '/openapi.json', headers: { 'accept-encoding': encoding } })
      t.equal(answer.headers['content-encoding'], encoding)
      t.equal(JSON.parse(open(answer.rawPayload).toString()).openapi, '3.1.0')
    }
  })

  t.test('every endpoint is described, with its answers', async (t) => {
    const { body } = await api.get('/openapi.json')
    t.ok(body.paths['/api/v3/meta'].get.responses['200'].content['application/json'].schema)
    const page = await api.get('/docs')
    t.match(page.headers['content-type'], /^text\/html/)
    for (const [, address] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      t.match(address, /^(\/|data:,)/, `${address} is a file of ours`)
  })
})

t.test('the request limit is in a header, and exceeding it is 429', async (t) => {
  const api = await testApi(t, await testDatabase(t), { rateLimit: 3 })
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await api.get('/api/v3/meta'))
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200, 429],
  )
  t.equal(answers[0]?.headers['ratelimit-limit'], '3')
  t.ok(Number(answers[3]?.headers['retry-after']) > 0)
  t.match(answers[3]?.body, { statusCode: 429, error: 'Too Many Requests' })
  t.equal((await api.get('/health/live')).status, 200)
})

t.test('a database that does not answer in time is 503 with Retry-After', async (t) => {
  const database = await testDatabase(t)
  await indexRecording(database.url, 'wax', new ReplaySource(path))
  const pool = testPool(t, database.url, { max: 2, statement_timeout: 150 })
  const api = await testApi(t, database, { pool })
  const client = await database.pool.connect()
  await client.query('begin; lock table ledger.swaps in access exclusive mode')
  const asked = await api.get('/api/v2/swap/pools/0/swaps')
  t.same([asked.status, asked.headers['retry-after']], [503, '1'])
  t.match(asked.body, { statusCode: 503, error: 'Service Unavailable' })
  t.notOk(asked.headers.etag, 'and it is not kept')
  t.equal((await api.get('/api/v2/swap/pools/0')).status, 200, 'what is in memory is answered')
  await client.query('rollback')
  client.release()
  t.equal((await api.get('/api/v2/swap/pools/0/swaps')).status, 200)
})

t.test('a session that the server ends in a transaction, as a standby does in a conflict, is 503', async (t) => {
  const database = await testDatabase(t)
  const pool = testPool(t, database.url, { max: 1 })
  const app = fastify()
  t.teardown(() => app.close())
  answerFailures(app, SILENT)
  app.get('/', async () => {
    const client = await pool.connect()
    // The server's error may be followed by one for the end of the connection.
    client.on('error', () => {})
    try {
      const { rows } = await client.query('begin; select pg_backend_pid() as pid').then((results) => Object(results)[1])
      const lost = once(client, 'error', { signal: AbortSignal.timeout(10_000) })
      await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
      await lost.catch(() => {})
      await client.query('select 1')
    } finally {
      client.release(true)
    }
  })
  const answer = await app.inject('/')
  t.same([answer.statusCode, answer.headers['retry-after']], [503, '1'])
})

t.test('a bug of ours is not reported as a busy database', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  answerFailures(app, SILENT)
  const states = {
    '53300': 503,
    '57014': 503,
    '57P01': 503,
    '40001': 503,
    '40P01': 503,
    '08006': 503,
    '08P01': 500,
    '42703': 500,
  }
  app.get('/:state', async (request) => {
    throw Object.assign(new Error('of the database'), { code: (request.params as { state: string }).state })
  })
  for (const [state, status] of Object.entries(states)) {
    const answer = await app.inject(`/${state}`)
    t.same([answer.statusCode, answer.headers['retry-after']], [status, status === 503 ? '1' : undefined], state)
    t.notMatch(answer.payload, /of the database/)
  }
})
