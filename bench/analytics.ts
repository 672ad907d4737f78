// The analytics and the cross-chain feed over the history of a large exchange: 6,300 pools, 1,600 markets and 10
// million swaps of three years on one chain, while blocks with swaps come twice a second. To show what grows with the
// swaps, it also measures a chain with a tenth of the swaps in the same time, and one with a tenth of them in a tenth
// of the time.
// Usage: node --import tsx bench/analytics.ts [swaps] [seconds of load] [requests a second]
// HEADWATER_BENCH_KEEP=URL keeps the history in that database and uses it again.
import pg from 'pg'
import { type Alone, alone, mixed } from './exchange/analytics-reads.ts'
import { BlocksProcess } from './exchange/blocks-process.ts'
import { feedAssetsFile } from './exchange/feed-assets.ts'
import { exchangeOf, minutesOf, type Scale, writeHistory } from './exchange/history.ts'
import { writeHours } from './exchange/hours.ts'
import { ApiProcess } from './exchange/server.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { at } from './support/percentile.ts'

const swaps = Number(process.argv[2] || 10_000_000)
const seconds = Number(process.argv[3] || 30)
const rate = Number(process.argv[4] || 300)
const keptUrl = process.env.HEADWATER_BENCH_KEEP
const chains = [
  exchangeOf('wax', { symbol: 'WAX', decimals: 8 }, swaps),
  { ...exchangeOf('eos', { symbol: 'EOS', decimals: 4 }, Math.ceil(swaps / 10)), minutes: minutesOf(swaps) },
  exchangeOf('telos', { symbol: 'TLOS', decimals: 4 }, Math.ceil(swaps / 10)),
]
const REPEATS = 100
/** Answers whose sizes differ by less than this factor count as equally long. */
const LONGER = 1.2
type Found = Map<string, Alone>

const database = keptUrl ? { url: keptUrl, close: async () => {} } : await benchDatabase('headwater_bench_analytics')
const assets = feedAssetsFile(chains)
let api: ApiProcess | undefined
try {
  console.log(hardware())
  const started = performance.now()
  for (const scale of chains) {
    if (!(await isThere(scale.chain))) await writeHistory(database.url, scale, Date.now())
    await writeHours(database.url, scale.chain)
  }
  console.log(`history made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const names = chains.map(({ chain }) => chain)
  api = await ApiProcess.start(database.url, names, 7791, { HEADWATER_FEED_ASSETS: assets.path })

  // The same requests to all histories. The first run is a warm-up.
  await alone(api, names, REPEATS)
  const [many, ...others] = [...(await alone(api, names, REPEATS)).values()] as [Found, ...Found[]]
  for (const [i, few] of others.entries()) compare(many, few, chains[i + 1] as Scale)

  const scale = chains[0] as (typeof chains)[number]
  const blocks = await BlocksProcess.start(database.url, scale.chain, scale.pools)
  const load = await mixed(api, scale.chain, rate, seconds)
  const written = await blocks.stop()
  const all = [...load.kinds.values()].flat().sort((a, b) => a - b)
  console.log(
    `${all.length} answers at ${rate}/s while ${written} blocks came, ${load.failures} failed: ` +
      `p50 ${at(all, 0.5)} ms, p99 ${at(all, 0.99)} ms, worst ${at(all, 1)} ms`,
  )
  for (const [kind, one] of load.kinds)
    console.log(`  ${kind}: p50 ${at(one, 0.5)} ms, p99 ${at(one, 0.99)} ms, worst ${at(one, 1)} ms of ${one.length}`)
} finally {
  await api?.stop()
  assets.remove()
  await database.close()
}

function compare(many: Found, few: Found, { swaps: fewer, minutes }: Scale): void {
  console.log(
    `one answer, medians and worst of ${REPEATS}: ${swaps} swaps, ${fewer} swaps of ${Math.round(minutes / 1440)} days, ratio, and that of their bytes`,
  )
  const ratios: number[] = []
  for (const [kind, one] of many) {
    const other = few.get(kind)
    if (other === undefined) continue
    const ratio = Number(at(one.ms, 0.5)) / Number(at(other.ms, 0.5))
    const longer = one.bytes / other.bytes
    // Ten times the days have ten times the points, so times of longer answers are reported separately.
    if (longer < LONGER) ratios.push(ratio)
    console.log(
      `  ${kind}: ${at(one.ms, 0.5)} (${at(one.ms, 1)}) ms, ${at(other.ms, 0.5)} (${at(other.ms, 1)}) ms, ${ratio.toFixed(2)}, ${longer.toFixed(2)}`,
    )
  }
  ratios.sort((a, b) => a - b)
  console.log(`  ratio where the answers are as long: ${at(ratios, 0.5)} in the median, ${at(ratios, 1)} at most`)
}

async function isThere(chain: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query('select exists (select from meta.position where chain = $1) as there', [chain])).rows[0]
      .there
  } finally {
    await client.end()
  }
}
