// The market stream: how long after a block the last of many readers has what it changed, and whether all of it came.
// The server is the real one on a market in memory (bench/stream/market.ts); the readers are another process beside it.
// Usage, with the memory that the program starts with, and a collection before memory is counted:
// node --max-semi-space-size=64 --expose-gc --import tsx bench/stream.ts
//   [connections] [subscriptions each] [rounds] [readers that never read]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import pg from 'pg'
import type { ChainContext } from '../api/chain-context.ts'
import { LogoLists } from '../api/exchange/tokens/logo-lists.ts'
import { SILENT } from '../api/http/log.ts'
import { standLists } from '../api/lists/standing-lists.ts'
import { bookWithOrdersText } from '../api/market-api/order-book.ts'
import { poolText } from '../api/market-api/pool.ts'
import { midText } from '../api/market-api/values.ts'
import { LiveRouter } from '../api/route/live-router.ts'
import { createServer } from '../api/server.ts'
import { testChain } from '../test/support/api.ts'
import { BenchMarket, type Touch } from './stream/market.ts'
import type { Order, Report } from './stream/readers.ts'
import { hardware } from './support/hardware.ts'

const [connections = 1000, each = 20, rounds = 100, mute = 100] = process.argv.slice(2).map(Number)
/** Blocks before those that are measured. */
const WARM_UP = 20
const SIZE = { tokens: 4200, pools: 6300, books: 500 }
const origin = process.hrtime.bigint()

type Topic =
  | { channel: 'pool'; id: number }
  | { channel: 'orderbook'; id: number }
  | { channel: 'price'; base: string; quote: string }

const config = testChain('wax')
const market = new BenchMarket(config, SIZE)
const live = market.asLive()
// As the program does: the lists of the other endpoints are kept up beside the stream.
standLists(live, 'wax')
const pool = new pg.Pool({ max: 1 })
const router = new LiveRouter(config, live)
const context: ChainContext = { chain: 'wax', config, pool, market: live, router, logoLists: new LogoLists([], SILENT) }
const stream = { connections: connections + mute, stallSeconds: 3600 }
const server = createServer({ pool, chains: [context], maxLagSeconds: 60, version: '0.0.0', stream, maxDelay: 0 })
await server.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.server.address() as AddressInfo

/** Pool 0 for everybody; then pools, markets and pairs that are shared among some. */
const subscriptions = Array.from({ length: connections }, (_, i) => topicsOf(i))
const watchers = new Map<string, { topic: Topic; count: number }>()
for (const topic of subscriptions.flat()) {
  const key = JSON.stringify(topic)
  const known = watchers.get(key)
  if (known === undefined) watchers.set(key, { topic, count: 1 })
  else known.count++
}
const silent = Array.from({ length: mute }, (_, i) => [{ channel: 'tokens' }, ...topicsOf(i)])

const readers = fork(new URL('./stream/readers.ts', import.meta.url), [String(origin)], {
  execArgv: ['--import', 'tsx'],
  serialization: 'advanced',
})
const tell = (order: Order) => readers.send(order)
const told = async () => (await once(readers, 'message', { signal: AbortSignal.timeout(60_000) }))[0] as Report
try {
  console.log(hardware())
  const opening = performance.now()
  tell({ kind: 'open', port, subscriptions, mute: silent })
  const opened = await told()
  const seconds = ((performance.now() - opening) / 1000).toFixed(1)
  console.log(
    `${connections} connections with ${each} subscriptions each, ${watchers.size} channels, ${mute} that never read; ` +
      `${opened.kind === 'opened' ? opened.messages : 0} first states in ${seconds} s`,
  )
  await warmUp()
  const pools = watched('pool')
  const books = watched('orderbook')
  await run('one channel of every connection', rounds, { pools: [0], change: 'reserve' })
  await run('every subscription', Math.ceil(rounds / 4), { pools, books, change: 'price' })
  const before = memory()
  await run('the same, once more', Math.ceil(rounds / 4), { pools, books, change: 'price' })
  console.log(`memory of the server: ${before} and ${memory()} MB (heap and buffers, after collection)`)
} finally {
  readers.kill()
  await server.close()
  await pool.end()
}

function topicsOf(i: number): Topic[] {
  const pick = (k: number, from: number) => (i * 31 + k * 977) % from
  const topics: Topic[] = [{ channel: 'pool', id: 0 }]
  for (let k = 1; topics.length < each; k++) {
    if (k % 5 === 0) topics.push({ channel: 'orderbook', id: pick(k, SIZE.books) })
    else if (k % 5 === 1)
      topics.push({ channel: 'price', base: tokenOf(pick(k, SIZE.tokens)), quote: 'wax-eosio.token' })
    else topics.push({ channel: 'pool', id: 1 + pick(k, SIZE.pools - 1) })
  }
  return topics
}

/** The token of a pool with the system token. */
function tokenOf(id: number): string {
  return market.state.pools.get(id)!.b.id
}

/** Pools or markets that somebody is subscribed to; the pools of pairs are among them. */
function watched(channel: 'pool' | 'orderbook'): number[] {
  const ids = new Set<number>()
  for (const { topic } of watchers.values()) {
    if (topic.channel === channel) ids.add(topic.id)
    if (topic.channel === 'price' && channel === 'pool')
      for (const { id } of market.state.poolsOf.get(topic.base) ?? []) ids.add(id)
  }
  return [...ids]
}

/** What a message of a topic says behind its block, made without the stream. */
function body(topic: Topic): string {
  const { pools, prices } = market.state
  if (topic.channel === 'pool') return `"id":${topic.id},"pool":${poolText(market.state, pools.get(topic.id)!)}`
  if (topic.channel !== 'price') return bookBody(topic.id)
  const mid = midText(prices, topic.base, topic.quote)
  return `"base":"${topic.base}","quote":"${topic.quote}","mid":${JSON.stringify(mid)}`
}

function bookBody(id: number): string {
  return `"id":${id},"orderbook":${bookWithOrdersText(market.state.books.get(id)!)}`
}

/** A server is measured as one that has been running. */
async function warmUp(): Promise<void> {
  const texts = new Map([...watchers].map(([key, { topic }]) => [key, body(topic)]))
  const [pools, books] = [watched('pool'), watched('orderbook')]
  for (let round = 0; round < WARM_UP; round++) {
    const received = told()
    const touch: Touch = round % 2 === 0 ? { pools: [0], change: 'reserve' } : { pools, books, change: 'price' }
    market.tell(market.advance(market.read(touch)))
    await delay(400)
    tell({ kind: 'round', expected: expectation(texts).count })
    await received
  }
}

async function run(name: string, times: number, touch: Touch): Promise<void> {
  const latencies: number[] = []
  const lasts: number[] = []
  const steps: number[] = []
  const works: number[] = []
  let messages = 0
  let bytes = 0
  let complete = true
  const texts = new Map([...watchers].map(([key, { topic }]) => [key, body(topic)]))
  for (let round = 0; round < times; round++) {
    const reads = market.read(touch)
    const received = told()
    const stepping = performance.now()
    const changes = market.advance(reads)
    steps.push(performance.now() - stepping)
    const used = process.cpuUsage()
    const sent = Number(process.hrtime.bigint() - origin)
    market.tell(changes)
    // The loop goes on before anything is compared: that is not the server's work.
    await delay(400)
    const { user, system } = process.cpuUsage(used)
    works.push((user + system) / 1000)
    const expected = expectation(texts)
    tell({ kind: 'round', expected: expected.count })
    const report = await received
    if (report.kind !== 'received') throw new Error('out of step')
    complete &&= report.times.length === expected.count && report.digest === expected.digest
    messages += report.times.length
    bytes += expected.bytes
    for (const time of report.times) latencies.push((time - sent) / 1e6)
    lasts.push((Math.max(...report.times.slice(-1), 0) - sent) / 1e6)
  }
  latencies.sort((a, b) => a - b)
  lasts.sort((a, b) => a - b)
  steps.sort((a, b) => a - b)
  works.sort((a, b) => a - b)
  const at = (of: number[], share: number) => of[Math.min(of.length - 1, Math.floor(of.length * share))]?.toFixed(1)
  console.log(
    `${name}: ${times} blocks, ${Math.round(messages / times)} messages and ${Math.round(bytes / times / 1024)} KiB each`,
  )
  console.log(`  message received after the block: p50 ${at(latencies, 0.5)} ms, p99 ${at(latencies, 0.99)} ms`)
  console.log(
    `  last message of a block: p50 ${at(lasts, 0.5)} ms, p99 ${at(lasts, 0.99)} ms, worst ${at(lasts, 1)} ms`,
  )
  console.log(`  processor of the server, all threads: p50 ${at(works, 0.5)} ms, p99 ${at(works, 0.99)} ms`)
  console.log(
    `  taking ${touch.pools.length} pools in, prices included: p50 ${at(steps, 0.5)} ms, p99 ${at(steps, 0.99)} ms`,
  )
  console.log(
    `  completeness: ${complete ? 'every message came once, bytes as they should be' : 'MESSAGES ARE MISSING'}`,
  )
  if (!complete) process.exitCode = 1
}

/** Messages that the block just made has to bring, and the sum of their hashes; remembers the new texts. */
function expectation(texts: Map<string, string>): { count: number; digest: number; bytes: number } {
  const sum = { count: 0, digest: 0, bytes: 0 }
  for (const [key, { topic, count }] of watchers) {
    const text = body(topic)
    if (texts.get(key) === text) continue
    texts.set(key, text)
    const message = `{"channel":"${topic.channel}","block":${market.state.at.block},${text}}`
    sum.count += count
    sum.digest += count * crc32(message)
    sum.bytes += count * Buffer.byteLength(message)
  }
  return sum
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return Math.round((heapUsed + external) / 2 ** 20)
}
