// The market stream: time from a block until the last of many readers has its changes, and whether all messages arrive.
// The server is the real one on a market in memory (bench/stream/market.ts). The readers run in another process, which
// computes the expected messages from its own market. Where the system allows it, each process is pinned to one core.
// Usage, with the program's own options, and garbage collection before memory is measured:
// node --max-semi-space-size=64 --v8-pool-size=1 --expose-gc --import tsx bench/stream.ts
//   [connections] [subscriptions each] [rounds] [readers that never read]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { ChainContext } from '../api/chain-context.ts'
import { LogoLists } from '../api/exchange/tokens/logo-lists.ts'
import { SILENT } from '../api/http/log.ts'
import { LiveRouter } from '../api/route/live-router.ts'
import { createServer } from '../api/server.ts'
import { standLists } from '../api/standing-lists.ts'
import { testChain } from '../test/support/api.ts'
import { BenchMarket, type Touch } from './stream/market.ts'
import type { Order, Report } from './stream/readers.ts'
import { madeVenues } from './stream/venues.ts'
import { SIZE, topicsOf, Watched } from './stream/watched.ts'
import { keepToCore } from './support/core.ts'
import { hardware } from './support/hardware.ts'

const [connections = 1000, each = 20, rounds = 100, mute = 100] = process.argv.slice(2).map(Number)
/** Blocks before the measurement. */
const WARM_UP = 20
/** Time for the readers to wake up. */
const WAKE_MS = 5
/** Time after a block within which all messages have arrived. */
const WINDOW_MS = 400
const origin = process.hrtime.bigint()

const config = testChain('wax')
const market = new BenchMarket(config, madeVenues(SIZE))
const live = market.asLive()
// As in the program, the lists of the other endpoints are updated as well.
standLists(live, 'wax')
const pool = new pg.Pool({ max: 1 })
const router = new LiveRouter(config, live)
const context: ChainContext = { chain: 'wax', config, pool, market: live, router, logoLists: new LogoLists([], SILENT) }
// Clients that never read are dropped after two pings: after memory has been measured.
const stream = { connections: connections + mute, stallSeconds: 3600, pingSeconds: 60 }
const server = createServer({ pool, chains: [context], maxLagSeconds: 60, version: '0.0.0', stream, maxDelay: 0 })
await server.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.server.address() as AddressInfo

const subscriptions = Array.from({ length: connections }, (_, i) => topicsOf(market.state, i, each))
const watched = new Watched(market.state, subscriptions.flat())
/** They subscribe to the longest messages too. */
const silent = Array.from({ length: mute }, (_, i) => [{ channel: 'tokens' }, ...topicsOf(market.state, i, each)])

const readers = fork(new URL('./stream/readers.ts', import.meta.url), [String(origin)], {
  execArgv: ['--import', 'tsx'],
  serialization: 'advanced',
})
const send = (order: Order) => readers.send(order)
const ended = once(readers, 'exit').then(([code, signal]) => {
  throw new Error(`the readers ended: ${code ?? signal}`)
})
ended.catch(() => {})
const nextReport = async () =>
  (await Promise.race([once(readers, 'message', { signal: AbortSignal.timeout(60_000) }), ended]))[0] as Report
try {
  console.log(hardware())
  const areApart = readers.pid !== undefined && keepToCore(process.pid, 0) && keepToCore(readers.pid, 1)
  console.log(areApart ? 'server and readers on a processor each' : 'server and readers where the system puts them')
  const opening = performance.now()
  send({ kind: 'open', port, subscriptions })
  const opened = await nextReport()
  const seconds = ((performance.now() - opening) / 1000).toFixed(1)
  console.log(
    `${connections} connections with ${each} subscriptions each, ${watched.size} channels; ` +
      `${opened.kind === 'opened' ? opened.messages : 0} first states in ${seconds} s`,
  )
  const one: Touch = { pools: [0], change: 'reserve' }
  const all: Touch = { pools: watched.ids('pool'), books: watched.ids('orderbook'), change: 'price' }
  // Warm-up to the state of a running server: blocks have come, and clients have come and gone.
  for (let i = 0; i < WARM_UP; i++) {
    if (i === WARM_UP / 4) await connectMute()
    if (i === (WARM_UP * 3) / 4) await disconnectMute()
    await block(i % 2 === 0 ? one : all)
  }
  await run('one channel of every connection', rounds, one)
  await connectMute()
  await run('every subscription', Math.ceil(rounds / 4), all)
  const before = memory()
  await run('the same, once more', Math.ceil(rounds / 4), all)
  const after = memory()
  console.log(`memory of the server: ${before} and ${after} MB (heap and buffers, after collection)`)
  const there = await disconnectMute()
  console.log(`clients that never read, at the end of it: ${there} of ${mute}`)
  if (there < mute) process.exitCode = 1
} finally {
  readers.kill()
  await server.close()
  await pool.end()
}

/** Connects the clients that never read. */
async function connectMute(): Promise<void> {
  send({ kind: 'mute', port, subscriptions: silent })
  await nextReport()
}

/** Disconnects them. @returns number of them that the server had not dropped */
async function disconnectMute(): Promise<number> {
  const open = await promisify(server.server.getConnections.bind(server.server))()
  send({ kind: 'leave' })
  return open - connections
}

interface Measured {
  /** Milliseconds from the block to each message. */
  latencies: number[]
  /** Milliseconds to advance the market by the block, and CPU milliseconds of the work after it. */
  step: number
  work: number
  bytes: number
  isComplete: boolean
}

async function block(touch: Touch): Promise<Measured> {
  const reads = market.read(touch)
  const stepping = performance.now()
  const changes = market.advance(reads)
  const step = performance.now() - stepping
  send({ kind: 'wake' })
  await delay(WAKE_MS)
  const used = process.cpuUsage()
  const sent = Number(process.hrtime.bigint() - origin)
  market.tell(changes)
  // Waits before the readers check the messages: that would take their processor.
  await delay(WINDOW_MS)
  const { user, system } = process.cpuUsage(used)
  send({ kind: 'round', touch })
  const report = await nextReport()
  if (report.kind !== 'received') throw new Error('out of step')
  const { bytes, isComplete } = report
  return {
    latencies: report.times.map((time) => (time - sent) / 1e6),
    step,
    work: (user + system) / 1000,
    bytes,
    isComplete,
  }
}

async function run(name: string, times: number, touch: Touch): Promise<void> {
  const blocks: Measured[] = []
  for (let round = 0; round < times; round++) blocks.push(await block(touch))
  const latencies = blocks.flatMap((one) => one.latencies)
  const bytes = blocks.reduce((sum, one) => sum + one.bytes, 0)
  const isComplete = blocks.every((one) => one.isComplete)
  const messages = Math.round(latencies.length / times)
  console.log(`${name}: ${times} blocks, ${messages} messages and ${Math.round(bytes / times / 1024)} KiB each`)
  const lasts = blocks.map((one) => one.latencies.at(-1) ?? 0)
  console.log(`  message received after the block: ${shares(latencies)}`)
  console.log(`  last message of a block: ${shares(lasts)}, worst ${Math.max(...lasts).toFixed(1)} ms`)
  console.log(`  processor of the server, all threads: ${shares(blocks.map(({ work }) => work))}`)
  console.log(`  taking ${touch.pools.length} pools in, prices included: ${shares(blocks.map(({ step }) => step))}`)
  console.log(
    `  completeness: ${isComplete ? 'every message came once, bytes as they should be' : 'MESSAGES ARE MISSING'}`,
  )
  if (!isComplete) process.exitCode = 1
}

function shares(values: number[]): string {
  const sorted = values.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return Math.round((heapUsed + external) / 2 ** 20)
}
