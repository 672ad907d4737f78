// Refusals as providers and nodes send them, by HTTP status, code, text and data.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { Endpoint } from '../../../net/rpc/endpoint.ts'

const LOGS = { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x7d0' }] }
const { signal } = new AbortController()

interface Given {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON unless it is a text. */
  body: unknown
}

type Request = { id: number; method: string; params: unknown[] }

/** An endpoint whose server gives these answers. */
async function endpointOf(t: Test, answer: (request: Request | Request[]) => Given | null): Promise<Endpoint> {
  const server = createServer(async (incoming, outgoing) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const given = answer(JSON.parse(text) as Request)
    if (given === null) return
    outgoing.writeHead(given.status ?? 200, given.headers)
    outgoing.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return new Endpoint({ chain: 'mainnet', url, timeoutMs: 300, requestsPerSecond: 0, batch: 100, maxBytes: 10_000 })
}

const refused = (code: number, message: string, data?: unknown) => ({ id: 0, error: { code, message, data } })

const TOO_MUCH: readonly Given[] = [
  {
    status: 400,
    body: refused(-32600, 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.'),
  },
  { status: 413, body: refused(-32614, 'eth_getLogs is limited to a 10,000 range') },
  { status: 500, body: refused(35, 'ranges over 10000 blocks are not supported on freetier') },
  { status: 504, body: '<html>gateway timeout</html>' },
  { body: refused(-32005, 'query returned more than 10000 results') },
  { body: refused(-32602, 'eth_getLogs block range is too large, maximum 10 blocks') },
  { body: refused(-32000, 'exceed maximum block range: 10') },
  { body: refused(-32000, 'Log response size exceeded.') },
  { body: refused(-32602, 'range 1000000 exceeds limit of 10000') },
  { body: refused(-32602, 'invalid params', { payload: 'range 9009594 is bigger than range limit 2000' }) },
  { body: refused(-32000, 'requested too many blocks from 1 to 3000, maximum is set to 2048') },
  { body: refused(-32000, 'block range is larger than max block range, block range = 5120') },
  { body: refused(-32600, 'block range too high') },
  { body: refused(-32000, 'Max range: 800') },
  { body: refused(-32000, 'query timeout exceeded') },
  { body: refused(-32002, 'request timed out') },
  { body: refused(-32000, 'query exceeds max results 20000, retry with the range 1-200') },
  { body: refused(-32000, 'logs matched by query exceeds limit of 10000') },
]

const OTHER: readonly [Given, string][] = [
  [{ status: 429, body: '' }, 'EVM_RATE_LIMIT'],
  [
    { status: 400, body: refused(429, 'Your app has exceeded its compute units per second capacity.') },
    'EVM_RATE_LIMIT',
  ],
  [{ body: refused(-32005, 'daily request count exceeded, request rate limited', { rate: {} }) }, 'EVM_RATE_LIMIT'],
  [{ body: refused(-32005, 'request rate limited: 25 per second') }, 'EVM_RATE_LIMIT'],
  [{ status: 401, body: refused(-32600, 'Must be authenticated!') }, 'EVM_RPC'],
  [{ status: 404, body: refused(-32601, 'the method eth_getLogs does not exist/is not available') }, 'EVM_NO_METHOD'],
  [{ status: 502, body: '<html>bad gateway</html>' }, 'EVM_RPC'],
  [{ body: refused(-32000, 'header not found') }, 'EVM_RPC'],
  [{ body: refused(4444, 'pruned history unavailable') }, 'EVM_RPC'],
]

t.test('a query for logs that is too large, in the words of many providers', async (t) => {
  for (const given of TOO_MUCH) {
    const endpoint = await endpointOf(t, () => given)
    const what = JSON.stringify(given.body)
    await t.rejects(endpoint.call(LOGS.method, LOGS.params, signal), { code: 'EVM_TOO_MUCH' }, what)
  }
})

t.test('other refusals of the same query', async (t) => {
  for (const [given, code] of OTHER) {
    const endpoint = await endpointOf(t, () => given)
    await t.rejects(endpoint.call(LOGS.method, LOGS.params, signal), { code }, JSON.stringify(given.body))
  }
})

t.test('a query for logs without an answer may be too large', async (t) => {
  const endpoint = await endpointOf(t, () => null)
  await t.rejects(endpoint.call(LOGS.method, LOGS.params, signal), { code: 'EVM_TOO_MUCH' })
  await t.rejects(endpoint.call('eth_blockNumber', [], signal), { code: 'EVM_RPC', message: /no answer in 0.3 s/ })
})

t.test('refused transactions and reverts are no large queries', async (t) => {
  const messages: [string, unknown?][] = [
    ['exceeds block gas limit'],
    ['max fee per gas less than block base fee'],
    ['execution reverted: limit exceeded, response too large', '0x08c379a0'],
  ]
  for (const [message, data] of messages) {
    for (const status of [200, 400, 500]) {
      const endpoint = await endpointOf(t, () => ({ status, body: refused(-32000, message, data) }))
      const sent = endpoint.call('eth_sendRawTransaction', ['0x02'], signal)
      const expected = new RegExp(`eth_sendRawTransaction is refused: ${message} \\(-32000\\)`)
      await t.rejects(sent, { code: 'EVM_RPC', message: expected, data })
    }
  }
})

t.test('the pause that a provider asks for is kept', async (t) => {
  const data = { rate: { allowed_rps: 1, backoff_seconds: 30, current_rps: 1.1 } }
  const endpoint = await endpointOf(t, () => ({ body: refused(-32005, 'request rate exceeded', data) }))
  await t.rejects(endpoint.call('eth_chainId', [], signal), { code: 'EVM_RATE_LIMIT', pauseMs: 30_000 })
})

t.test('batches shrink to what the endpoint accepts, and stay so', async (t) => {
  const refusals: Given[] = [
    { status: 500, body: refused(31, 'Batch of more than 3 requests are not allowed on free tier') },
    { body: refused(-32014, 'maximum 10 calls in 1 batch') },
    { status: 400, body: [refused(-32600, 'batch too large')] },
    { body: [refused(-32600, 'batch too large')] },
    { status: 413, body: '' },
    { status: 404, body: refused(-32601, 'method not found') },
    { body: 'x'.repeat(20_000) },
  ]
  for (const refusal of refusals) {
    const sizes: number[] = []
    const endpoint = await endpointOf(t, (request) => {
      const requests = Array.isArray(request) ? request : [request]
      sizes.push(requests.length)
      if (requests.length > 3) return refusal
      const answers = requests.map(({ id, params }) => ({ id, result: params[0] }))
      return { body: Array.isArray(request) ? answers : answers[0] }
    })
    const calls = Array.from({ length: 20 }, (_, i) => ({ method: 'eth_getBlockByNumber', params: [i] }))
    const expected = calls.map(({ params }) => params[0])
    t.same(await endpoint.batch(calls, signal), expected, JSON.stringify(refusal))
    t.same(sizes, [20, 10, 5, ...Array(10).fill(2)])
    sizes.length = 0
    await endpoint.batch(calls, signal)
    t.same(sizes, Array(10).fill(2))
  }
})

t.test('a batch that fails for another reason is not sent again', async (t) => {
  for (const given of [
    { status: 429, body: '' },
    { status: 401, body: refused(-32600, 'no key') },
    { status: 502, body: '' },
  ]) {
    let requests = 0
    const endpoint = await endpointOf(t, () => {
      requests++
      return given
    })
    await t.rejects(endpoint.batch([LOGS, LOGS], signal), { code: /EVM_R/ })
    t.equal(requests, 1)
  }
})
