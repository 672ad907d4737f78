// Writes api/description/examples.json: answers of a running demo, for every operation and each of its errors.
// Usage: node --import tsx docs/generate-examples.ts http://127.0.0.1:7700 --wax http://127.0.0.1:PORT [--only PATH]
// The second address is that of wax's chain API, which the demo prints. With --only, the examples of other paths stay.
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { EXAMPLES_FILE, type OperationExample } from '../api/description/examples.ts'
import type { Operation } from '../api/description/operation.ts'
import { OPERATIONS } from '../api/description/operations.ts'
import { STREAM_EXAMPLES } from '../api/description/stream.ts'
import { STREAM_PATH } from '../api/market/stream/upgrade.ts'
import { toHex } from '../core/hex.ts'
import { AntelopeNode } from '../devnet/relayer/antelope-node.ts'
import { swapTransaction } from '../devnet/sponsor/swap.ts'
import { briefly } from './brief-example.ts'

const HOST = 'wax.localhost'
/** URLs and hosts of the demo. */
const DEMO_URL = /(http|ws):\/\/(\w+)\.localhost:\d+/g
const DEMO_HOST = /(\w+)\.localhost:\d+/g
/** Events of the example of a stream. */
const EVENTS = 2
const DAY = 86_400
const USER = 'trent.lp'

interface Asked {
  status: number
  type: string
  text: string
  body: unknown
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { wax: { type: 'string' }, only: { type: 'string' } },
})
const [base] = positionals
if (base === undefined || values.wax === undefined) throw new Error('usage: generate-examples.ts API --wax NODE')
const { hostname, port } = new URL(base)

function ask(method: string, path: string, body?: unknown): Promise<Asked> {
  const headers = { host: `${HOST}:${port}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers }, (answer) => {
      const parts: Buffer[] = []
      const type = (answer.headers['content-type'] ?? '').split(';')[0] as string
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        // A stream of events has no end.
        const events = type === 'text/event-stream' ? Buffer.concat(parts).toString().split('\n\n') : []
        if (events.length > EVENTS) answer.destroy()
      })
      answer.on('close', () => {
        const all = Buffer.concat(parts).toString()
        const whole = type === 'text/event-stream' ? `${all.split('\n\n').slice(0, EVENTS).join('\n\n')}\n\n` : all
        const text = whole.replaceAll(DEMO_URL, '$1s://$2.example.org').replaceAll(DEMO_HOST, '$1.example.org')
        resolve({
          status: answer.statusCode ?? 0,
          type,
          text,
          body: type === 'application/json' ? JSON.parse(text) : text,
        })
      })
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const rowsOf = async (path: string) => (await ask('GET', path)).body as Record<string, unknown>[]

/** Values of the placeholders in paths. */
async function findSamples(): Promise<Record<string, string>> {
  const text = (value: unknown) => encodeURIComponent(String(value))
  const legs = (await ask('GET', '/api/bridge/v1/transfers?direction=withdrawal&status=released&limit=500')).body
  const { transfers } = legs as { transfers: Record<string, unknown>[] }
  const journeys = (await ask('GET', '/api/bridge/v1/hops?limit=50')).body as { hops: Record<string, unknown>[] }
  const feed = await rowsOf('/api/v3/feed/tickers')
  const merged = await rowsOf('/api/v3/feed/cmc/tickers')
  const swaps = await rowsOf('/api/v2/swap/pools/2/swaps?limit=1000')
  const [position] = await rowsOf('/api/v2/swap/pools/2/positions')
  const trader = swaps.find(({ sender }) => sender === USER)?.sender ?? swaps[0]?.sender
  const today = Math.floor(Date.now() / 1000 / DAY) * DAY
  const events = (await ask('GET', '/api/v3/feed/onchain/latest-block')).body as { block: { blockNumber: number } }
  const toBlock = events.block.blockNumber
  const found = (await ask('GET', `/api/v3/feed/onchain/events?fromBlock=${toBlock - 500}&toBlock=${toBlock}`)).body
  const [event] = (found as { events: { block: { blockNumber: number } }[] }).events.slice(-1)
  const { lastBlock } = (await ask('GET', '/api/v3/digests')).body as { lastBlock: number }
  return {
    digestFrom: String(lastBlock - 3),
    digestTo: String(lastBlock),
    withdrawal: text(transfers.find(({ to }) => (to as { chain: string }).chain === 'mainnet')?.key),
    journey: text(journeys.hops.find(({ status }) => status === 'delivered')?.key),
    feedBook: text(feed.find(({ type }) => type === 'orderbook')?.ticker_id),
    feedPool: text(
      feed.find((one) => !feed.some((o) => o.ticker_id === one.ticker_id && o.type === 'orderbook'))?.ticker_id,
    ),
    mergedBook: text(merged.find(({ bid }) => bid !== undefined && bid !== null)?.ticker_id),
    provider: text(position?.owner),
    trader: text(trader),
    trx: text(swaps[0]?.trx_id),
    eventBlock: text(event?.block.blockNumber),
    dayStart: String(today - DAY),
    dayEnd: String(today),
    sponsored: toHex(
      await swapTransaction({ api: '', wax: new AntelopeNode(values.wax as string), user: USER, amount: 1 }),
    ),
  }
}

const samples = await findSamples()
const filled = (text: string) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = samples[name]
    if (value === undefined || value === 'undefined') throw new Error(`the demo has no ${name} yet: try again later`)
    return value
  })

async function exampleOf(method: string, operation: Operation): Promise<OperationExample> {
  const { failures = [] } = operation
  const path = filled(operation.ask)
  const sent = operation.send === undefined ? undefined : JSON.parse(filled(JSON.stringify(operation.send)))
  const answer = await ask(method, path, sent)
  if (answer.status >= 400) throw new Error(`${method} ${path} answers ${answer.status}: ${answer.text}`)
  const bodies: unknown[] = []
  for (const { ask: address, status } of failures) {
    const failed = address === undefined ? null : await ask(method, filled(address))
    if (failed !== null && failed.status !== status)
      throw new Error(`${address} answers ${failed.status}, not ${status}: ${failed.text}`)
    bodies.push(failed?.body ?? null)
  }
  return {
    ask: path,
    ...(sent === undefined ? {} : { sent }),
    ...(answer.status < 300 ? { type: answer.type, body: briefly(answer.body) } : {}),
    ...(bodies.length === 0 ? {} : { failures: bodies }),
  }
}

/** The first message of each subscription. */
async function streamExample(operation: Operation): Promise<OperationExample> {
  const socket = new WebSocket(`ws://${hostname}:${port}${STREAM_PATH}`, { headers: { host: `${HOST}:${port}` } })
  await once(socket, 'open')
  const messages: { sent: object; got: unknown }[] = []
  for (const sent of STREAM_EXAMPLES) {
    const got = new Promise<unknown>((resolve) => {
      socket.on('message', (data) => {
        const message = JSON.parse(String(data))
        if (message.error !== undefined || message.channel === sent.channel) resolve(message)
      })
    })
    socket.send(JSON.stringify(sent))
    messages.push({ sent, got: briefly(await got) })
    socket.removeAllListeners('message')
  }
  socket.close()
  const failures: unknown[] = []
  for (const { ask: address } of operation.failures ?? [])
    failures.push(address === undefined ? null : (await ask('GET', address)).body)
  return { ask: STREAM_PATH, failures, messages }
}

const before: Record<string, OperationExample> = JSON.parse(await readFile(EXAMPLES_FILE, 'utf8'))
const examples: Record<string, OperationExample> = {}
const problems: string[] = []
for (const [name, operation] of Object.entries(OPERATIONS)) {
  const [method, path] = name.split(' ') as [string, string]
  const kept = before[operation.id]
  if (kept !== undefined && values.only !== undefined && !path.startsWith(values.only)) {
    examples[operation.id] = kept
    continue
  }
  try {
    if (name === `GET ${STREAM_PATH}`) examples[operation.id] = await streamExample(operation)
    else examples[operation.id] = await exampleOf(method, operation)
  } catch (error) {
    problems.push((error as Error).message)
  }
}
if (problems.length > 0) throw new Error(problems.join('\n'))
const lines = Object.entries(examples).map(([id, example]) => `${JSON.stringify(id)}: ${JSON.stringify(example)}`)
await writeFile(EXAMPLES_FILE, `{\n${lines.join(',\n')}\n}\n`)
