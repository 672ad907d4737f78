// Generated swaps of three years in a lake: the writer's speed, then queries in DuckDB, in ClickHouse (chdb), and in
// PostgreSQL with fewer rows; and how fast the program loads ClickHouse from PostgreSQL. Everything is removed afterwards.
// Usage: flock LOCK node --import tsx bench/lake.ts [swaps, default 1,000,000] [swaps in PostgreSQL, default 1,000,000]
//   [parts, default write,duckdb,clickhouse,postgresql,loader] [folder: is kept, so that parts can be run one by one]
import { mkdtemp, rm } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inClickHouse } from './lake/clickhouse.ts'
import { inDuckDb } from './lake/duckdb.ts'
import { writeFiles } from './lake/files.ts'
import { DAYS, dateOf } from './lake/generator.ts'
import { loadFromPostgreSql } from './lake/loader.ts'
import { inPostgreSql } from './lake/postgresql.ts'
import { hardware } from './support/hardware.ts'

const swaps = Number(process.argv[2] || 1_000_000)
const inPostgres = Number(process.argv[3] || 1_000_000)
const parts = (process.argv[4] || 'write,duckdb,clickhouse,postgresql,loader').split(',')
const given = process.argv[5]
/** The queries read the last 30 days, and this pool. */
const asked = { since: dateOf(DAYS - 30), pool: 7 }

/** Work at the end, last first. */
const cleanups: (() => Promise<unknown>)[] = []
const folder = given ?? (await mkdtemp(join(tmpdir(), 'headwater-bench-lake-')))
if (given === undefined) cleanups.push(() => rm(folder, { recursive: true }))

const work: Readonly<Record<string, () => Promise<void>>> = {
  write: () => writeFiles(folder, swaps),
  duckdb: () => inDuckDb(folder, asked),
  clickhouse: () => inClickHouse(folder, asked, cleanups),
  postgresql: () => inPostgreSql(inPostgres, asked, cleanups),
  loader: () => loadFromPostgreSql(inPostgres, cleanups),
}

try {
  console.log(hardware())
  for (const part of parts) {
    const run = work[part]
    if (run === undefined) throw new Error(`there is no part ${part}: ${Object.keys(work).join(', ')}`)
    const started = performance.now()
    await run()
    // Servers of one part would slow down the next.
    while (cleanups.length > (given === undefined ? 1 : 0)) await cleanups.pop()?.()
    console.log(
      `${part}: ${((performance.now() - started) / 1000).toFixed(0)} s in all, load ${os.loadavg()[0]?.toFixed(1)}`,
    )
  }
} finally {
  while (cleanups.length > 0) await cleanups.pop()?.()
}
