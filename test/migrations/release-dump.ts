// `npm run release-dump`: writes test/fixtures/schema/VERSION.sql.gz, the dump of a database of this version with rows
// in every table. Part of each release (docs/develop/releases.md). Uses Debian's PostgreSQL 15, the oldest supported
// server, so that newer servers can read the dump.
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { schemaFiles } from '../../migrations/files.ts'
import { migrate } from '../../migrations/migrate.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { findStockServer, startStockServer } from '../support/stock-server.ts'

export const RECORDING = new URL('../fixtures/recordings/small.ship.gz', import.meta.url).pathname
export const CHAIN = 'wax'
/** Last indexed block of the dump. The test continues the recording after it. */
export const END_BLOCK = 60

/** Tables without a row. Partitions of `ledger`, `state` and `derive` count as their parent. */
export const EMPTY_TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name, xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I.%I', n.nspname, c.relname),
    false, true, ''))::text as rows
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('meta', 'ledger', 'state', 'undo', 'derive', 'final_log', 'cosign', 'relay') and c.relkind in ('r', 'p')
    and c.relname not like '%\\_\\_%' order by 1`

/** A row of simple values by column type, for tables that the recording leaves empty. */
const FILL = `
  select format('insert into %s (%s) overriding system value values (%s)', $1::text, string_agg(quote_ident(a.attname), ', '), string_agg(
    case when a.attname = 'chain' then '''spare''' when a.attname = 'existed' then 'true'
      when format_type(a.atttypid, null) like '%[]' then quote_literal('{}') else
      case format_type(a.atttypid, null) when 'text' then '''x''' when 'bytea' then '''\\x01''' when 'boolean' then 'false' when 'jsonb' then '''{}'''
        when 'interval' then '''1s''' when 'uuid' then '''00000000-0000-4000-8000-000000000001'''
        when 'timestamp with time zone' then '''2026-01-01Z''' else '1' end end, ', ')) as statement
  from pg_attribute a where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped
    and not (a.attname in ('undo_block', 'existed') and $1::text like 'state.%')`

async function fill(client: pg.Client): Promise<void> {
  await client.query(`begin isolation level repeatable read; select meta.append_final('${CHAIN}', 1000000); commit`)
  await client.query(`select meta.add_chain('spare')`)
  const { rows } = await client.query<{ name: string; rows: string }>(EMPTY_TABLES)
  for (const { name } of rows.filter((table) => table.rows === '{0}')) {
    const { rows: made } = await client.query<{ statement: string }>(FILL, [name])
    const { statement = '' } = made[0] ?? {}
    await client.query(statement).catch((cause) => {
      throw new Error(`${statement}: ${(cause as Error).message}`, { cause })
    })
  }
}

async function main(): Promise<void> {
  const { version } = await schemaFiles()
  const path = new URL(`../fixtures/schema/${version}.sql.gz`, import.meta.url)
  if (existsSync(path)) throw new Error(`${version} has its dump already: raise the version in package.json first`)
  const binaries = await findStockServer()
  const server = await startStockServer()
  if ('missing' in binaries || 'missing' in server)
    throw new Error(`no PostgreSQL 15: ${(binaries as { missing?: string }).missing}`)
  try {
    const admin = new pg.Client(server.adminUrl)
    await admin.connect()
    await admin.query('create database release')
    await admin.end()
    const url = Object.assign(new URL(server.adminUrl), { pathname: '/release' }).href
    await migrate(url)
    await indexRecording(url, CHAIN, new ReplaySource(RECORDING), END_BLOCK)
    const client = new pg.Client(url)
    await client.connect()
    await fill(client).finally(() => client.end())
    const args = ['--inserts', '--rows-per-insert=200', '--no-owner', '--dbname', url]
    const env = { ...process.env, LD_LIBRARY_PATH: binaries.libraries.join(':') }
    const { stdout } = await promisify(execFile)(`${binaries.folder}/pg_dump`, args, { env, maxBuffer: 2 ** 28 })
    // Commands of psql instead of SQL.
    const sql = stdout.replaceAll(/^\\.*\n/gm, '')
    const packed = gzipSync(sql, { level: 9 })
    writeFileSync(path, packed)
    console.log(`${path.pathname}: ${sql.length} bytes of SQL, ${packed.length} packed`)
  } finally {
    await server.stop()
  }
}

if (process.argv[1] === import.meta.filename) await main()
