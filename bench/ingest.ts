// Ingest: a recording played many times as one chain, into PostgreSQL with all indexes and candles. Compared with the
// limit: a plain binary COPY of the same rows into the same tables with the same indexes.
// Every action is verified against its block, unless the last argument is `unchecked`.
// Usage: node --import tsx bench/ingest.ts [recording] [passes] [unchecked]
import { createHash } from 'node:crypto'
import pg from 'pg'
import { indexChain } from '../indexer/run.ts'
import { LoopSource } from '../indexer/source/loop.ts'
import { bareCopy } from './support/bare-copy.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { DEV } from './support/profile.ts'

const recording = process.argv[2] || new URL('../test/fixtures/recordings/medium.ship.gz', import.meta.url).pathname
const passes = Number(process.argv[3] ?? 60)
const checksActions = process.argv[4] !== 'unchecked'
const BLOCKS_OF_MEDIUM = 542

const database = await benchDatabase('headwater_bench_ingest')
try {
  console.log(hardware())
  const ours = await ingest(database.url)
  const limit = await bareCopy(database.url)
  const digest = await digestOf(database.url)
  const ratio = ours.rowsPerSecond / limit.rowsPerSecond
  console.log(`ingest: ${ours.blocks} blocks, ${ours.rows} rows in ${ours.seconds.toFixed(1)} s`)
  console.log(
    `  ${Math.round(ours.blocks / ours.seconds)} blocks/s, ${Math.round(ours.rowsPerSecond)} rows/s, indexes and candles included, actions ${checksActions ? 'checked' : 'unchecked'}`,
  )
  console.log(`  ${ours.cpuSeconds.toFixed(1)} s of a processor in this process, the blocks' making included`)
  console.log(`  the server: ${ours.stages}`)
  console.log(`  largest resident memory in each fifth of the run: ${ours.memory.join(', ')} MB`)
  console.log(
    `limit: ${limit.rows} rows by bare COPY in ${limit.seconds.toFixed(1)} s, ${Math.round(limit.rowsPerSecond)} rows/s`,
  )
  console.log(`ratio: ${(100 * ratio).toFixed(0)} % of the limit`)
  console.log(`completeness: ${digest}`)
} finally {
  await database.close()
}

async function ingest(url: string) {
  let blocks = 0
  let rows = 0
  const memory: number[] = []
  const spent = { copy: 0, state: 0, candles: 0, commit: 0 }
  const source = new LoopSource(recording, passes)
  await source.prepare()
  const started = performance.now()
  const cpu = process.cpuUsage()
  await indexChain({
    ...DEV,
    chain: 'telos',
    databaseUrl: url,
    source,
    checksActions,
    signal: new AbortController().signal,
    events: {
      opened: () => {},
      retrying: (error) => {
        throw error
      },
      forked: () => {},
      decoded: () => {},
      committed: (_last, count, result) => {
        blocks += count
        for (const count of result.rows.values()) rows += count
        for (const stage of Object.keys(spent) as (keyof typeof spent)[]) spent[stage] += result.seconds[stage]
        const fifth = Math.min(4, Math.floor((5 * blocks) / (passes * BLOCKS_OF_MEDIUM)))
        memory[fifth] = Math.max(memory[fifth] ?? 0, Math.round(process.memoryUsage().rss / 1e6))
      },
    },
  })
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const cpuSeconds = (user + system) / 1e6
  const stages = Object.entries(spent).map(([stage, time]) => `${stage} ${time.toFixed(1)} s`)
  return { blocks, rows, seconds, rowsPerSecond: rows / seconds, memory, cpuSeconds, stages: stages.join(', ') }
}

/** Hash of every swap and of the current pools. If it is the same on another machine, nothing is missing. */
async function digestOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const hash = createHash('sha256')
  const swaps = `select concat_ws(' ', block_num, global_seq, pool_id, amount_a, amount_b, sqrt_price_x64) as text from ledger.swaps order by block_num, global_seq`
  const pools = `select concat_ws(' ', pool_id, reserve_a, reserve_b, sqrt_price_x64, liquidity) as text from state.pools order by pool_id`
  let count = 0
  for (const sql of [swaps, pools]) {
    for (const row of (await client.query<{ text: string }>(sql)).rows) {
      hash.update(`${row.text}\n`)
      count++
    }
  }
  await client.end()
  return `${count} swaps and pools, sha256 ${hash.digest('hex')}`
}
