// What an operator needs for a million blocks: bytes on disk and seconds of a processor. Blocks of each profile
// (bench/blocks/profiles.ts) are indexed as a backfill does it, with all indexes; what a million would take is computed
// from them. Each trade of a profile has two changed rows of the exchange and three traces.
// Usage: node --max-semi-space-size=64 --import tsx bench/sizing.ts [profile,...] [blocks]
import pg from 'pg'
import type { StoredBlock } from '../devnet/chain/frame-store.ts'
import { indexChain } from '../indexer/run.ts'
import type { PackedBlock } from '../indexer/source/source.ts'
import { startTestCluster } from '../test/support/cluster.ts'
import { makeBlocks } from './blocks/chain.ts'
import { PROFILES } from './blocks/profiles.ts'
import { processorMs } from './decode/processor.ts'
import { MemorySource } from './packs/chain.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { DEV } from './support/profile.ts'
import { ServerTime } from './support/server-time.ts'

const names = (process.argv[2] || 'quiet,wax-now,wax-64k').split(',')
const count = Number(process.argv[3] || 2000)
const CHAIN = 'sizing'
const MILLION = 1_000_000

console.log(hardware())
for (const name of names) await measure(name)
process.exit(0)

async function measure(name: string): Promise<void> {
  const profile = PROFILES[name]
  if (!profile) throw new Error(`no profile ${name}: ${Object.keys(PROFILES).join(', ')}`)
  const { setup, blocks } = makeBlocks(profile, count)
  const all = [...setup, ...blocks]
  const last = all[all.length - 1]
  if (!last) throw new RangeError('no blocks')
  const source = new MemorySource(all.map((block) => packed(block, last)))
  const cluster = await startTestCluster({ durable: true })
  process.env.HEADWATER_BENCH_DATABASE = cluster.url
  const database = await benchDatabase('headwater_bench_sizing')
  try {
    const index = (endBlock: number) => indexUpTo(database.url, source, endBlock)
    await index((setup[setup.length - 1] as StoredBlock).num)
    const before = await sizes(database.url)
    const server = await ServerTime.of(database.url)
    const started = { own: processorMs(), server: server.seconds(), wall: performance.now() }
    await index(last.num)
    const spent = {
      own: (processorMs() - started.own) / 1000,
      server: server.seconds() - started.server,
      wall: (performance.now() - started.wall) / 1000,
    }
    const after = await sizes(database.url)
    report(name, blocks, before, after, spent)
  } finally {
    await database.close()
    await cluster.stop()
  }
}

function packed(block: StoredBlock, head: StoredBlock): PackedBlock {
  const position = { num: head.num, id: head.id }
  return { ...block, kind: 'packed', prevId: block.prevId ?? '0'.repeat(64), head: position, lib: position }
}

async function indexUpTo(databaseUrl: string, source: MemorySource, endBlock: number): Promise<void> {
  await indexChain({
    ...{ ...DEV, chain: CHAIN, databaseUrl, source, endBlock, signal: new AbortController().signal },
    events: {
      opened() {},
      committed() {},
      decoded() {},
      forked() {},
      retrying(error) {
        throw error
      },
    },
  })
}

interface Size {
  bytes: number
  rows: number
}

/** Of the ledger, and of everything else: tables with their indexes. */
async function sizes(url: string): Promise<{ ledger: Size; other: Size }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ part: 'ledger' | 'other'; bytes: string; rows: string }>(
    `select case n.nspname when 'ledger' then 'ledger' else 'other' end as part, sum(pg_total_relation_size(c.oid))::text as bytes,
       sum(greatest(c.reltuples, 0))::int8::text as rows
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('ledger', 'state', 'derive', 'versions', 'undo', 'settled', 'final_log', 'meta') group by 1`,
  )
  await client.end()
  const of = (part: string): Size => {
    const found = rows.find((row) => row.part === part)
    return { bytes: Number(found?.bytes ?? 0), rows: Number(found?.rows ?? 0) }
  }
  return { ledger: of('ledger'), other: of('other') }
}

type Sizes = Awaited<ReturnType<typeof sizes>>

function report(
  name: string,
  blocks: readonly StoredBlock[],
  before: Sizes,
  after: Sizes,
  spent: { own: number; server: number; wall: number },
): void {
  const n = blocks.length
  const size = blocks.reduce((sum, one) => sum + one.block.length + one.traces.length + one.deltas.length, 0) / n
  const grown = (part: 'ledger' | 'other') => {
    const bytes = after[part].bytes - before[part].bytes
    const rows = after[part].rows - before[part].rows
    return `${(bytes / n).toFixed(0)} bytes and ${(rows / n).toFixed(2)} rows a block, ${((bytes / n) * 1e-9 * MILLION).toFixed(2)} GB a million`
  }
  const hours = (seconds: number) => ((seconds / n) * MILLION) / 3600
  console.log(`${name}: ${n} blocks of ${(size / 1000).toFixed(1)} kB`)
  console.log(`  ledger          ${grown('ledger')}`)
  console.log(`  everything else ${grown('other')}`)
  console.log(
    `  processor       ${hours(spent.own).toFixed(2)} hours a million in the indexer, ${hours(spent.server).toFixed(2)} in PostgreSQL; ${hours(spent.wall).toFixed(2)} by the clock`,
  )
}
