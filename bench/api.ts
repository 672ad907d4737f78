// The HTTP API over the history of a large exchange: 6,300 pools, 1,600 markets and 10 million swaps of three years on one
// chain, a tenth of that on another, in one PostgreSQL, served by one process.
// Usage: node --import tsx bench/api.ts [swaps] [seconds of load] [requests a second]
// HEADWATER_BENCH_KEEP=URL keeps the history in that database and uses it again.

import pg from 'pg'
import { itemAt } from '../core/required.ts'
import { CANDLES, candles, RESOLUTIONS } from './exchange/candles.ts'
import { exchangeOf, writeHistory } from './exchange/history.ts'
import { hotReads } from './exchange/hot-reads.ts'
import { liveSwaps } from './exchange/live-swaps.ts'
import { ApiProcess } from './exchange/server.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { at } from './support/percentile.ts'

const swaps = Number(process.argv[2] || 10_000_000)
const seconds = Number(process.argv[3] || 30)
const rate = Number(process.argv[4] || 1000)
const keptUrl = process.env.HEADWATER_BENCH_KEEP
const chains = [
  exchangeOf('wax', { symbol: 'WAX', decimals: 8 }, swaps),
  exchangeOf('telos', { symbol: 'TLOS', decimals: 4 }, Math.ceil(swaps / 10)),
]

const database = keptUrl ? { url: keptUrl, close: async () => {} } : await benchDatabase('headwater_bench_api')
let api: ApiProcess | undefined
try {
  console.log(hardware())
  const started = performance.now()
  for (const scale of chains) if (!(await isThere(scale.chain))) await writeHistory(database.url, scale, Date.now())
  console.log(`history made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const starting = performance.now()
  api = await ApiProcess.start(database.url, ['wax', 'telos'], 7790)
  console.log(`API ready after ${((performance.now() - starting) / 1000).toFixed(1)} s, both markets loaded`)

  for (const { chain, swaps } of chains) {
    const { times, failures, late, kinds, digest } = await hotReads(api, chain, rate, seconds)
    console.log(
      `${chain}, ${swaps} swaps: ${times.length} hot reads at ${rate}/s, ${failures} failed: p50 ${at(times, 0.5)} ms, ` +
        `p99 ${at(times, 0.99)} ms, worst ${at(times, 1)} ms; sent up to ${at(late, 0.99)} ms late in p99; digest ${digest}`,
    )
    for (const [kind, one] of kinds) console.log(`  ${kind} by itself: p50 ${at(one, 0.5)} ms, p99 ${at(one, 0.99)} ms`)
  }

  const histories = await Promise.all(chains.map(async ({ chain }) => ({ chain, ...(await placeOf(chain)) })))
  const grown = new Map<string, number>()
  // The second run is measured, with compiled code. No two requests of a run are equal.
  await candles(api, histories, 21)
  const [many, few] = (await candles(api, histories, 21)) as [Map<string, number>, Map<string, number>]
  let worst = ['', 0] as [string, number]
  for (const [what, ms] of many) {
    // Histories too short for 5,000 candles of a resolution return fewer.
    const minutes = RESOLUTIONS[what.split(' ').at(-1) as string] as number
    if (minutes * CANDLES <= itemAt(chains, 1).minutes) grown.set(what, ms / (few.get(what) as number))
    if (ms > worst[1]) worst = [what, ms]
  }
  console.log(`5,000 candles, medians of 21 on ${itemAt(chains, 0).swaps} swaps (and on ${itemAt(chains, 1).swaps}):`)
  for (const [what, ms] of many) console.log(`  ${what}: ${ms.toFixed(1)} (${few.get(what)?.toFixed(1)}) ms`)
  const ratios = [...grown.values()].sort((a, b) => a - b)
  console.log(
    `  slowest: ${worst[0]}, ${worst[1].toFixed(1)} ms; with ten times the swaps, where the shorter history has as many ` +
      `candles: times ${at(ratios, 0.5)} in the median, ${at(ratios, 1)} at most`,
  )

  const { times, firstTimes, lists } = await liveSwaps(api, database.url, 'wax', 120)
  console.log(
    `swap visible in every endpoint: p50 ${at(times, 0.5)} ms, p90 ${at(times, 0.9)} ms, worst of ${times.length} ` +
      `${at(times, 1)} ms; of the first ${firstTimes.length} after the start ${at(firstTimes, 1)} ms`,
  )
  console.log(
    `pools list, uncompressed: first after a block p50 ${at(lists.first, 0.5)} ms, worst ${at(lists.first, 1)} ms; ` +
      `again ${at(lists.again, 0.5)} ms; 304 ${at(lists.unchanged, 0.5)} ms`,
  )
} finally {
  await api?.stop()
  await database.close()
}

async function isThere(chain: string): Promise<boolean> {
  return (await query<{ there: boolean }>('select exists (select from meta.position where chain = $1) as there', chain))
    .there
}

/** Time of the last block, and ticker of the busiest market. */
async function placeOf(chain: string): Promise<{ to: number; ticker: string }> {
  return query(
    `select extract(epoch from block_time)::float8 * 1000 as "to", lower(base_symbol) || '-' || base_contract || '_'
      || lower(target_symbol) || '-' || target_contract as ticker
    from meta.position join state.markets using (chain) where chain = $1 and market_id = 0`,
    chain,
  )
}

async function query<T>(text: string, chain: string): Promise<T> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(text, [chain])).rows[0] as T
  } finally {
    await client.end()
  }
}
