// Live latency: from the arrival of a block's frame until its rows are visible to another session. The recording is
// repeated; the last blocks come one at a time, as from a node at the head.
// Usage: node --import tsx bench/live.ts [recording] [passes] [live blocks] [milliseconds between blocks]
import pg from 'pg'
import { indexChain } from '../indexer/run.ts'
import { LoopSource } from '../indexer/source/loop.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { PacedSource } from './support/paced-source.ts'
import { DEV } from './support/profile.ts'

const recording = process.argv[2] || new URL('../test/fixtures/recordings/medium.ship.gz', import.meta.url).pathname
const passes = Number(process.argv[3] ?? 20)
const live = Number(process.argv[4] ?? 600)
const interval = Number(process.argv[5] ?? 50)
const BLOCKS_OF_MEDIUM = 542

const database = await benchDatabase('headwater_bench_live')
const reader = new pg.Client({ connectionString: database.url })
try {
  console.log(hardware())
  await reader.connect()
  await reader.query('listen headwater')
  const received = new Map<number, number>()
  const latencies: number[] = []
  const spent: Record<string, number[]> = {}
  let rows = 0
  reader.on('notification', ({ payload }) => {
    const num = Number(payload?.split(' ')[1])
    const at = received.get(num)
    if (at !== undefined && num >= from + warm) latencies.push(performance.now() - at)
  })
  // The first block at the head waits for the secondary indexes, and the blocks after it wait for that one.
  const warm = 60
  const from = passes * BLOCKS_OF_MEDIUM - live + 2
  await indexChain({
    ...DEV,
    chain: 'telos',
    databaseUrl: database.url,
    source: new PacedSource(new LoopSource(recording, passes), {
      interval,
      libLag: 3,
      from,
      onBlock: (num) => received.set(num, performance.now()),
    }),
    signal: new AbortController().signal,
    events: {
      opened: () => {},
      retrying: (error) => {
        throw error
      },
      forked: () => {},
      decoded: () => {},
      committed: (last, _blocks, result) => {
        if (last.num < from + warm) return
        for (const count of result.rows.values()) rows += count
        for (const [stage, seconds] of Object.entries(result.seconds)) {
          spent[stage] ??= []
          spent[stage].push(seconds * 1000)
        }
      },
    },
  })
  const at = (share: number, of = latencies) =>
    of.sort((a, b) => a - b)[Math.min(of.length - 1, Math.floor(of.length * share))]?.toFixed(1)
  console.log(
    `${latencies.length} blocks one at a time, ${(rows / latencies.length).toFixed(1)} rows each, on ${from} blocks of history`,
  )
  console.log(`frame to visible rows: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`)
  const stages = Object.entries(spent).map(([stage, times]) => `${stage} ${at(0.5, times)}`)
  console.log(`  of which the server, p50: ${stages.join(', ')} ms`)
} finally {
  await reader.end()
  await database.close()
}
