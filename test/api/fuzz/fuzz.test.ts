// Every described endpoint gets malformed requests. The server never fails, and every answer matches the description. New
// endpoints are covered without a change here.
//
// HEADWATER_SEED repeats a run. 2,000 requests, 50,000 with HEADWATER_TEST_LONG.
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import Schema from 'typebox/schema'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexRecording } from '../../indexer/replay/index-recording.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { VALUATION } from '../../support/valuation.ts'
import { evmChain } from '../bridge/scene.ts'
import { id, MARKETS, NOW, POOLS, TLM, WAX, WAX_SCENE } from '../exchange/scene.ts'
import { escaped, HEADERS, HOSTS, type Known, type Parameter, valueFor } from './garbage.ts'

const COUNT = process.env.HEADWATER_TEST_LONG ? 50_000 : 2000
/** Concurrent requests, so that answers of several hosts overlap. */
const TOGETHER = 8
/** A chain of which nothing is indexed: only it answers 503. */
const EMPTY = 'empty.localhost'
/** Endpoints that answer 503 while any chain is not ready: always here, because of the empty chain. */
const READINESS = ['/health/ready', '/health/market']

interface Operation {
  path: string
  parameters: Parameter[]
  /** Whether a body matches the description. */
  check(body: unknown): boolean
  /** Wrong members, for the report. */
  explain(body: unknown): string
}

interface Asked {
  operation: Operation
  method: string
  url: string
  headers: Record<string, string>
}

interface Answer {
  status: number
  type: string
  body: Buffer
}

/** The test adds the feed's hosts. */
const tickers = [
  ...MARKETS.map(({ base, target }) => `${id(base)}_${id(target)}`),
  ...POOLS.map(({ a, b }) => `${id(a)}_${id(b)}`),
  'pool:0',
  'market:0',
  'none-nobody_wax-eosio.token',
]

/** A feed that lists every market and merges the markets of two assets. */
const FEED = {
  minimumUsd: 0,
  assets: [
    { symbol: 'TLM', id: 9119, tokens: [`wax:${id(TLM)}`] },
    { symbol: 'WAX', id: 2300, tokens: [`wax:${id(WAX)}`, `telos:${id(WAX)}`] },
  ],
}

const known: Known = {
  tokens: [...new Set([...POOLS.flatMap(({ a, b }) => [id(a), id(b)]), 'none-nobody', 'gold-tokens.sim'])],
  tickers,
  accounts: ['alice', 'bob', 'swap.svc', 'nobody', 'eosio.token', 'trader1'],
  pools: [...POOLS.map(({ pool }) => pool), 77, 4_000_000_000],
  transactions: ['00'.repeat(32), 'ff'.repeat(32), '0'.repeat(63)],
  legs: [],
  now: NOW,
}

/** Parameters of a request. Sometimes one is missing, repeated or unknown. */
function makeRequest(random: Random, operation: Operation, right = random.chance(0.3)): Asked {
  let url = operation.path
  const query: string[] = []
  let elsewhere = false
  // A third of the requests are valid, so that every endpoint computes an answer.
  const share = right ? 1 : 0.45
  for (const parameter of operation.parameters) {
    const value = () => escaped(random, valueFor(random, parameter, known, share))
    if (parameter.in === 'path') {
      const text = value()
      elsewhere ||= text === '' || /[/?#]/.test(text)
      url = url.replace(`{${parameter.name}}`, () => text)
    } else if (random.chance(parameter.required ? 0.95 : 0.4)) {
      const name = random.chance(0.02) ? `${parameter.name}[]` : encodeURIComponent(parameter.name)
      query.push(random.chance(0.03) ? name : `${name}=${value()}`)
      if (random.chance(0.03)) query.push(`${name}=${value()}`)
    }
  }
  if (random.chance(0.05)) query.push(`${random.pick(['x', '__proto__', 'a[b][c]', '', 'limit', 'from'])}=1`)
  if (query.length > 0) url += `?${query.join(random.chance(0.98) ? '&' : ';')}`
  const method = random.chance(0.97) ? 'GET' : random.pick(METHODS)
  // A changed path may match another endpoint, whose answers have another form.
  return {
    operation: elsewhere ? { ...operation, check: anything } : operation,
    url,
    method,
    headers: makeHeaders(random),
  }
}

const METHODS = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH']

function makeHeaders(random: Random): Record<string, string> {
  const usual = random.chance(0.9)
  const headers: Record<string, string> = {
    host: usual ? random.pick(['wax.localhost', 'wax.localhost', 'telos.localhost']) : random.pick([...HOSTS, EMPTY]),
  }
  while (random.chance(0.3)) {
    const [name, values] = random.pick(HEADERS)
    headers[name] = random.pick(values)
  }
  return headers
}

function ask(agent: Agent, port: number, { method, url, headers }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, method, path: url, headers, setHost: false }, (answer) => {
      read(answer).then(resolve, reject)
    })
    sent.once('error', reject)
    sent.setTimeout(120_000, () => sent.destroy(new Error('no answer in two minutes')))
    sent.end()
  })
}

async function read(answer: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  const open = { br: brotliDecompressSync, gzip: gunzipSync }[answer.headers['content-encoding'] ?? '']
  const raw = Buffer.concat(parts)
  const body = open !== undefined && raw.length > 0 ? open(raw) : raw
  return { status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', body }
}

const NO_NUMBER = /"(?:-?Infinity|NaN|undefined|\[object Object\])"|\b-?(?:Infinity|NaN)\b(?=\s*[,}\]])/

/** Description of a wrong answer; null when the answer is right. */
function complaint({ operation, headers, method }: Asked, { status, type, body }: Answer): string | null {
  const mayBeMissing = headers.host === EMPTY || READINESS.includes(operation.path)
  if (status >= 500 && !(status === 503 && mayBeMissing)) return `status ${status}: ${body}`
  if (status === 503 && READINESS.includes(operation.path)) return null
  if (status === 304 || method === 'HEAD' || status === 204)
    return body.length === 0 ? null : 'a body where none can be'
  const text = body.toString()
  if (!type.startsWith('application/json'))
    return status === 200 && method === 'GET' ? otherType(operation, type) : null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return `no JSON: ${text.slice(0, 300)}`
  }
  if (status === 200) {
    // A search repeats its text, and an account its name, which the test may have chosen so.
    const { query, account } = (value ?? {}) as { query?: unknown; account?: unknown }
    const own = text.replace(`"query":${JSON.stringify(query)}`, '').replace(`"account":${JSON.stringify(account)}`, '')
    const found = NO_NUMBER.exec(own)
    if (found) return `no number: ${found[0]} in ${text.slice(0, 300)}`
    return operation.check(value) ? null : `not as described: ${operation.explain(value)}`
  }
  const { statusCode, error, message } = value as Record<string, unknown>
  if (status === 404 && error === 'Unknown network') return null
  if (statusCode === status && typeof error === 'string' && typeof message === 'string') return null
  return operation.path.startsWith('/api/v2') ? `an error in another form: ${text.slice(0, 300)}` : otherError(value)
}

/** An endpoint without JSON answers has no answer schema. */
function otherType({ check }: Operation, type: string): string | null {
  return check === anything ? null : `of type ${type}`
}

/** Checks of standard formats, and examples for the report. */
function otherError(value: unknown): string | null {
  const texts = Object.values(value as Record<string, unknown>).filter((one) => typeof one === 'string')
  return texts.length > 0 ? null : `an error without a text: ${JSON.stringify(value).slice(0, 300)}`
}

const anything = () => true

interface Description {
  paths: Record<string, { get?: Described }>
}

interface Described {
  parameters?: Parameter[]
  responses?: Record<string, { content?: Record<string, { schema?: Record<string, unknown> }> }>
}

function operationsOf({ paths }: Description): Operation[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    // A WebSocket has no answer schema, and a stream of events has no end.
    if (get?.responses?.['200'] === undefined) return []
    if (get.responses['200'].content?.['text/event-stream'] !== undefined) return []
    const schema = get.responses?.['200']?.content?.['application/json']?.schema
    const validator = schema === undefined ? null : Schema.Compile(schema)
    return [
      {
        path,
        parameters: get.parameters ?? [],
        check: validator === null ? anything : (body: unknown) => validator.Check(body),
        explain: (body: unknown) => JSON.stringify(validator?.Errors(body)?.[1]?.slice(0, 3) ?? []).slice(0, 600),
      },
    ]
  })
}

t.test('a server of a long chain, a recorded one and one without data', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const recording = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
  await indexRecording(database.url, 'telos', new ReplaySource(recording), undefined, VALUATION)
  const { rows } = await database.pool.query<{ key: string }>(
    `(select key from head.withdrawals where domain = 1 order by id limit 30) union all (select key from head.deposits order by nonce limit 30)`,
  )
  known.legs = rows.map(({ key }) => key)
  const { rows: swaps } = await database.pool.query<{ id: string }>(
    `select encode(trx_id, 'hex') as id from ledger.swaps order by chain, global_seq limit 30`,
  )
  known.transactions = [...known.transactions, ...swaps.map(({ id }) => id)]
  t.ok(known.legs.length > 20, 'the recording has legs of the bridge')
  const chains = ['wax', 'telos', 'empty'].map((chain) => testChain(chain))
  const api = await testApi(t, database, { chains, evm: [evmChain()], feed: FEED })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: TOGETHER })
  t.teardown(() => agent.destroy())
  const operations = operationsOf((await api.get('/openapi.json')).body)
  t.ok(operations.length >= 15, `${operations.length} endpoints are described`)
  for (const list of ['tickers', 'cmc/tickers']) {
    const { body } = await api.get(`/api/v3/feed/${list}`)
    t.ok(body.length > 0, `${list} of the feed`)
    tickers.push(...body.map((one: { ticker_id: string }) => one.ticker_id))
  }

  const seed = seedFromEnvironment()
  t.test(`${COUNT} requests of seed ${seed}`, { timeout: 1_200_000 }, async (t) => {
    const random = new Random(seed)
    const statuses = new Map<number, number>()
    const served = new Set<string>()
    const wrong: string[] = []
    let left = COUNT
    const askOne = async (asked: Asked) => {
      const answer = await ask(agent, port, asked)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 200) served.add(asked.operation.path)
      const problem = complaint(asked, answer)
      if (problem !== null) wrong.push(`${asked.method} ${asked.url} ${JSON.stringify(asked.headers)}: ${problem}`)
    }
    const work = async () => {
      // Endpoints in turn, so that each gets the same number of requests.
      while (left > 0 && wrong.length < 20)
        await askOne(makeRequest(random, operations[left-- % operations.length] as Operation))
    }
    await Promise.all(Array.from({ length: TOGETHER }, work))
    // An endpoint with many dependent parameters gets valid requests only, until one succeeds.
    const mute = () => operations.filter(({ path }) => !served.has(path) && !READINESS.includes(path))
    for (let tries = 0; tries < 2000 && mute().length > 0 && wrong.length < 20; tries++)
      for (const operation of mute()) await askOne(makeRequest(random, operation, true))
    t.same(wrong, [], `nothing is wrong; seed ${seed}`)
    t.comment(`seed ${seed}, by status: ${[...statuses].map((pair) => pair.join(' ')).join(', ')}`)
    t.ok((statuses.get(200) ?? 0) > COUNT / 20, 'many requests are answered')
    t.ok((statuses.get(400) ?? 0) > COUNT / 20, 'many are refused')
    t.same(
      mute().map(({ path }) => path),
      [],
      'every endpoint has answered something',
    )
  })

  t.test('invalid request lines do not disturb other requests', async (t) => {
    const lines = [
      'GET /api/v2/tokens/%E0%A4%A HTTP/1.1',
      'GET /api/v2/tokens/%ff%fe HTTP/1.1',
      'GET //api/v2//tokens HTTP/1.1',
      'GET http://wax.localhost/api/v2/pairs HTTP/1.1',
      'GET * HTTP/1.1',
      `GET /api/v2/pairs?x=${'y'.repeat(20_000)} HTTP/1.1`,
      'GET /api/v2/pairs HTTP/9.9',
      'GET',
      '\u0000\u0001\u0002',
      'OPTIONS * HTTP/1.1',
    ]
    for (const line of lines) {
      const text = await raw(port, `${line}\r\nHost: wax.localhost\r\nConnection: close\r\n\r\n`)
      t.match(text, /^(HTTP\/1\.1 [234]\d\d |$)/, JSON.stringify(line.slice(0, 60)))
    }
    t.equal((await api.get('/api/v2/pairs')).status, 200)
  })
})

/** Sends bytes on a connection. @returns the bytes received until it ends */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setTimeout(120_000, () => socket.destroy(new Error('no answer in two minutes')))
    socket.on('data', (part) => {
      text += part
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(text) : reject(error),
    )
    socket.once('close', () => resolve(text))
  })
}
