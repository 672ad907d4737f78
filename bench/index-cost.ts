// The cost of the ledger's secondary indexes. Indexes a recording, repeated as one chain, three times: without these
// indexes, with indexes built at the end (as a backfill does), and with indexes maintained from the second repetition
// on (as near the head). Prints blocks and rows a second, and bytes. Usage: node --import tsx bench/index-cost.ts
// [recording] [passes]
import pg from 'pg'
import { indexChain } from '../indexer/run.ts'
import { LoopSource } from '../indexer/source/loop.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { DEV } from './support/profile.ts'

const recording = process.argv[2] || new URL('../test/fixtures/recordings/medium.ship.gz', import.meta.url).pathname
const passes = Number(process.argv[3] ?? 30)
const MODES = ['without', 'built at the end', 'kept up to date'] as const

interface Speed {
  blocks: number
  rows: number
  seconds: number
}

console.log(hardware())
for (const mode of MODES) {
  const database = await benchDatabase('headwater_bench_index_cost')
  try {
    if (mode === 'without')
      await query(database.url, `delete from meta.secondary_indexes where relation like 'ledger.%'`)
    // At the end of a session the missing indexes are built.
    if (mode === 'kept up to date') await index(database.url, 1, passes)
    const { blocks, rows, seconds } = await index(database.url, passes, passes)
    console.log(`${mode}: ${blocks} blocks and ${rows} rows in ${seconds.toFixed(1)} s`)
    console.log(`  ${Math.round(blocks / seconds)} blocks/s, ${Math.round(rows / seconds)} rows/s`)
    console.log(`  ${await sizes(database.url)}`)
  } finally {
    await database.close()
  }
}

/** Indexes up to the end of repetition `upTo`, from the block after the last indexed one. */
async function index(databaseUrl: string, upTo: number, all: number): Promise<Speed> {
  const source = new LoopSource(recording, all)
  await source.prepare()
  const speed = { blocks: 0, rows: 0, seconds: 0 }
  const started = performance.now()
  await indexChain({
    ...DEV,
    ...{ chain: 'telos', databaseUrl, source, signal: new AbortController().signal },
    endBlock: upTo === all ? undefined : await source.lastBlockOf(upTo),
    events: {
      ...{ opened() {}, forked() {}, decoded() {} },
      retrying(error) {
        throw error
      },
      committed(_last, blocks, { rows }) {
        speed.blocks += blocks
        for (const count of rows.values()) speed.rows += count
      },
    },
  })
  return { ...speed, seconds: (performance.now() - started) / 1000 }
}

/** Bytes of the ledger's rows and indexes, by access method. */
async function sizes(url: string): Promise<string> {
  const parts = await query(
    url,
    `select n.what, pg_size_pretty(sum(n.bytes)) as size, round(sum(n.bytes) / (select sum(c.reltuples) from pg_class c
       where c.relkind = 'r' and c.relispartition and c.relnamespace = 'ledger'::regnamespace)) as per_row
     from (
       select 'rows' as what, pg_table_size(c.oid) as bytes from pg_class c
       where c.relkind = 'r' and c.relispartition and c.relnamespace = 'ledger'::regnamespace
       union all
       select case when i.indisunique then 'keys' else 'secondary ' || am.amname end, pg_relation_size(i.indexrelid)
       from pg_index i join pg_class t on t.oid = i.indrelid join pg_class x on x.oid = i.indexrelid join pg_am am on am.oid = x.relam
       where t.relkind = 'r' and t.relispartition and t.relnamespace = 'ledger'::regnamespace
     ) n group by 1 order by 1`,
  )
  return `ledger: ${parts.map(({ what, size, per_row }) => `${what} ${size} (${per_row} bytes a row)`).join(', ')}`
}

async function query(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    if (sql.startsWith('select')) await client.query('analyze')
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
