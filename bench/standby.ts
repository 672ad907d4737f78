// API processes on a standby that replays blocks all the time: hot reads through a balancer to one, two and four
// processes, and how far the standby is behind the primary. At the end the processes' answers at one block are compared.
// Usage: node --import tsx bench/standby.ts [swaps] [seconds of load] [requests a second] [blocks a second] [numbers of
//   processes, default 1,2,4]
import { createHash } from 'node:crypto'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { migrate } from '../migrations/migrate.ts'
import { openPool } from '../net/postgres.ts'
import { type ReplicatedServers, startReplicatedServers } from '../test/support/standby.ts'
import { until } from '../test/support/until.ts'
import { BlocksProcess } from './exchange/blocks-process.ts'
import { exchangeOf, writeHistory } from './exchange/history.ts'
import { hotPaths, hotReads } from './exchange/hot-reads.ts'
import { ApiClient, ApiProcess } from './exchange/server.ts'
import { BalancerProcess } from './support/balancer.ts'
import { hardware } from './support/hardware.ts'
import { at } from './support/percentile.ts'

const swaps = Number(process.argv[2] || 1_000_000)
const seconds = Number(process.argv[3] || 30)
const rate = Number(process.argv[4] || 1000)
const blocksPerSecond = Number(process.argv[5] || 20)
const counts = (process.argv[6] || '1,2,4').split(',').map(Number)
const chain = 'wax'
const DATABASE = 'headwater_bench_standby'
const FIRST_PORT = 7791
/** Interval of reading both servers' positions, ms. */
const SAMPLE_MS = 100
const COMPARED_PATHS = 350

/** Reads how far the standby lags, until it is stopped. */
class Lag {
  /** Age of the last commit that the standby has replayed, ms: the interval of blocks and the lag. */
  readonly ages: number[] = []
  /** Number of blocks that the primary has and the standby lacks. */
  readonly blocks: number[] = []
  /** Number of own reads of the standby that the replay cancelled. */
  cancelled = 0
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  start(servers: ReplicatedServers): this {
    this.#running = this.#run(servers)
    return this
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    for (const list of [this.ages, this.blocks]) list.sort((a, b) => a - b)
  }

  async #run({ primary, standby }: ReplicatedServers): Promise<void> {
    const pools = [primary, standby].map((server) => openPool({ connectionString: server.url(DATABASE), max: 1 }))
    const [there, here] = pools as [pg.Pool, pg.Pool]
    const position = `select block_num::int4 as num, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 * 1000 as age
      from meta.position where chain = '${chain}'`
    while (!this.#stop.signal.aborted) {
      const first = await there.query<{ num: number }>(position)
      const second = await here.query<{ num: number; age: number }>(position).catch((error: { code?: string }) => {
        if (error.code !== '40001') throw error
        return null
      })
      if (second === null) this.cancelled++
      else {
        this.blocks.push(Math.max(0, (first.rows[0]?.num ?? 0) - (second.rows[0]?.num ?? 0)))
        this.ages.push(second.rows[0]?.age ?? Number.NaN)
      }
      await delay(SAMPLE_MS, undefined, { signal: this.#stop.signal }).catch(() => {})
    }
    await Promise.all(pools.map((pool) => pool.end()))
  }
}

/** Hot reads while blocks are written. @returns their times, the standby's lag, and the blocks written per second */
async function underLoad(servers: ReplicatedServers, client: ApiClient) {
  const blocks = await BlocksProcess.start(servers.primary.url(DATABASE), chain, 6300, 1000 / blocksPerSecond)
  const lag = new Lag()
  try {
    const started = performance.now()
    lag.start(servers)
    const reads = await hotReads(client, chain, rate, seconds)
    const elapsed = (performance.now() - started) / 1000
    return { ...reads, lag, written: (await blocks.stop()) / elapsed }
  } catch (error) {
    await blocks.stop()
    throw error
  } finally {
    await lag.stop()
  }
}

async function measure(servers: ReplicatedServers, count: number): Promise<void> {
  const apis: ApiProcess[] = []
  const balancer = await BalancerProcess.start(Array.from({ length: count }, (_, i) => FIRST_PORT + i))
  const client = new ApiClient(balancer.port)
  try {
    for (let i = 0; i < count; i++)
      apis.push(await ApiProcess.start(servers.standby.url(DATABASE), [chain], FIRST_PORT + i))
    const { times, failures, lag, written } = await underLoad(servers, client)
    console.log(
      `${count} processes: ${(times.length / seconds).toFixed(0)} requests/s, ${failures} failed, p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms, worst ${at(times, 1)} ms;`,
      `${written.toFixed(1)} blocks/s written; the last replayed commit is ${at(lag.ages, 0.5)} ms old, p99 ${at(lag.ages, 0.99)} ms, worst ${at(lag.ages, 1)} ms;`,
      `the standby lacks ${at(lag.blocks, 0.99)} blocks in p99, ${at(lag.blocks, 1)} at most, in ${lag.blocks.length} looks, ${lag.cancelled} more cancelled`,
    )
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
