// API processes on a standby that replays blocks all the time: hot reads through a balancer to one, two and four
// processes, and how far the standby is behind the primary. At the end the processes' answers at one block are compared.
// Usage: node --import tsx bench/standby.ts [swaps] [seconds of load] [requests a second] [blocks a second] [numbers of
//   processes, default 1,2,4]
import { createHash } from 'node:crypto'
import os from 'node:os'
import { migrate } from '../migrations/migrate.ts'
import { type ReplicatedServers, startReplicatedServers } from '../test/support/standby.ts'
import { until } from '../test/support/until.ts'
import { processorMs } from './decode/processor.ts'
import { BlocksProcess } from './exchange/blocks-process.ts'
import { exchangeOf, writeHistory } from './exchange/history.ts'
import { hotPaths, hotReads } from './exchange/hot-reads.ts'
import { ApiClient, ApiProcess } from './exchange/server.ts'
import { Lag } from './standby/lag.ts'
import { Shares } from './standby/shares.ts'
import { BalancerProcess } from './support/balancer.ts'
import { hardware } from './support/hardware.ts'
import { at } from './support/percentile.ts'
import { processSeconds, ServerTime } from './support/server-time.ts'

const swaps = Number(process.argv[2] || 1_000_000)
const seconds = Number(process.argv[3] || 30)
const rate = Number(process.argv[4] || 1000)
const blocksPerSecond = Number(process.argv[5] || 20)
const counts = (process.argv[6] || '1,2,4').split(',').map(Number)
const chain = 'wax'
const DATABASE = 'headwater_bench_standby'
const FIRST_PORT = 7791
const COMPARED_PATHS = 350
/** Settings of a standby that serves an API, as docs/operate/standby.md advises. */
const ADVISED = ['hot_standby_feedback = on', `max_standby_streaming_delay = '1s'`]

interface Parts {
  servers: ReplicatedServers
  balancer: BalancerProcess
  apis: readonly ApiProcess[]
}

/** Hot reads while blocks are written. @returns their times, the standby's lag, and the blocks written per second */
async function underLoad({ servers, balancer, apis }: Parts, client: ApiClient) {
  const [primary, standby] = [servers.primary.url(DATABASE), servers.standby.url(DATABASE)]
  const blocks = await BlocksProcess.start(primary, chain, 6300, 1000 / blocksPerSecond)
  const lag = new Lag()
  try {
    const [first, second] = [await ServerTime.of(primary), await ServerTime.of(standby)]
    const started = performance.now()
    lag.start([primary, standby], chain)
    const before = await cacheLookups(apis)
    let shares: Shares | undefined
    const reads = await hotReads(client, chain, rate, seconds, apis, () => {
      shares = new Shares(
        new Map([
          ...apis.map((api, i) => [`API ${i + 1}`, () => processSeconds(api.pid)] as const),
          ['primary', () => first.seconds()],
          ['standby', () => second.seconds()],
          ['balancer', () => processSeconds(balancer.pid)],
          ['writer of blocks', () => processSeconds(blocks.pid)],
          ['load generator', () => processorMs() / 1000],
        ]),
      )
    })
    const elapsed = (performance.now() - started) / 1000
    const after = await cacheLookups(apis)
    const lookups = (result: string) => (after.get(result) ?? 0) - (before.get(result) ?? 0)
    const cache = `${lookups('hit')} answers from the cache, ${lookups('miss')} made, the first ones included`
    return { ...reads, lag, cache, shares: shares?.text() ?? '', written: (await blocks.stop()) / elapsed }
  } catch (error) {
    await blocks.stop()
    throw error
  } finally {
    await lag.stop()
  }
}

/** Lookups of whole answers in the memory of all processes, by result. */
async function cacheLookups(apis: readonly ApiProcess[]): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (const api of apis)
    for (const [result, count] of await api.metric('headwater_cache_lookups_total', 'result'))
      sums.set(result, (sums.get(result) ?? 0) + count)
  return sums
}

async function measure(servers: ReplicatedServers, count: number): Promise<void> {
  const apis: ApiProcess[] = []
  const balancer = await BalancerProcess.start(Array.from({ length: count }, (_, i) => FIRST_PORT + i))
  const client = new ApiClient(balancer.port)
  try {
    for (let i = 0; i < count; i++)
      apis.push(await ApiProcess.start(servers.standby.url(DATABASE), [chain], FIRST_PORT + i))
    const { times, late, failures, lag, written, ...more } = await underLoad({ servers, balancer, apis }, client)
    console.log(
      `${count} processes, load ${os.loadavg()[0]?.toFixed(1)}: ${(times.length / seconds).toFixed(0)} requests/s, ${failures} failed, p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms, worst ${at(times, 1)} ms; sent up to ${at(late, 0.99)} ms late in p99;`,
      `${written.toFixed(1)} blocks/s written; the last replayed commit is ${at(lag.ages, 0.5)} ms old, p99 ${at(lag.ages, 0.99)} ms, worst ${at(lag.ages, 1)} ms;`,
      `the standby lacks ${at(lag.blocks, 0.99)} blocks in p99, ${at(lag.blocks, 1)} at most, in ${lag.blocks.length} looks, ${lag.cancelled} more cancelled`,
    )
    for (const [kind, own] of more.loaded) {
      const first = more.kinds.get(kind) ?? []
      console.log(
        `  ${kind}: p50 ${at(own, 0.5)} ms, p99 ${at(own, 0.99)} ms; one after the other, for the first time: p50 ${at(first, 0.5)} ms, p99 ${at(first, 0.99)} ms`,
      )
    }
    console.log(`  slowest of each second: ${more.worst.map((ms) => ms.toFixed(0)).join(', ')} ms`)
    console.log(`  of a core: ${more.shares}; ${more.cache}`)
    await servers.replayed()
    const { rows } = await servers.primary.query('select block_num::text as block from meta.position', [], DATABASE)
    await compare(apis, rows[0].block)
  } finally {
    client.close()
    await Promise.all([balancer.stop(), ...apis.map((api) => api.stop())])
  }
}

/** Compares the answers of all processes at the last block, byte by byte. */
async function compare(apis: readonly ApiProcess[], block: string): Promise<void> {
  const [first, ...others] = apis
  if (first === undefined || others.length === 0) return
  for (const api of apis)
    await until(`the API on port ${api.port} is at block ${block}`, async () => {
      const { status, headers } = await api.get(chain, '/api/v2/swap/pools/0')
      return status === 200 && headers['x-block-num'] === block
    })
  const different: string[] = []
  for (const [, path] of await hotPaths(first, chain, COMPARED_PATHS)) {
    const answers = await Promise.all(apis.map((api) => api.get(chain, path)))
    const facts = answers.map(({ status, headers, body }) =>
      [status, headers.etag, headers['x-block-num'], createHash('sha256').update(body).digest('hex').slice(0, 8)].join(
        ' ',
      ),
    )
    if (answers[0]?.status !== 200 || new Set(facts).size !== 1) different.push(`${path}: ${facts.join(' / ')}`)
  }
  console.log(
    `  ${COMPARED_PATHS} answers of ${apis.length} processes at block ${block}: ${different.length} differ in bytes or ETag`,
    different.slice(0, 5),
  )
  if (different.length > 0) process.exitCode = 1
}

const servers = await startReplicatedServers()
if ('missing' in servers) throw new Error(servers.missing)
try {
  console.log(hardware())
  for (const setting of ADVISED) await servers.standby.query(`alter system set ${setting}`)
  await servers.standby.query('select pg_reload_conf()')
  await servers.primary.query(`create database ${DATABASE}`)
  await migrate(servers.primary.url(DATABASE))
  await writeHistory(
    servers.primary.url(DATABASE),
    exchangeOf(chain, { symbol: 'WAX', decimals: 8 }, swaps),
    Date.now(),
  )
  await servers.replayed()
  for (const count of counts) await measure(servers, count)
  console.log(`load at the end ${os.loadavg()[0]?.toFixed(1)}, mostly of its own`)
} finally {
  await servers.stop()
}
