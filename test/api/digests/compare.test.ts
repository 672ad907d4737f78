// `headwater compare` on indexed recordings: equal databases, an altered row in each table, a missing row, other
// beginnings; over the API and directly, with stored digests and without.
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import t, { type Test } from 'tap'
import { DatabaseSide } from '../../../api/exchange/digests/database-side.ts'
import { compare } from '../../../core/compare/compare.ts'
import { digestRanges } from '../../../indexer/jobs/digest-ranges.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { ApiSide } from '../../../net/headwater-api.ts'
import { indexRecording } from '../../indexer/replay/index-recording.ts'
import { readOnly, testApi, testChain } from '../../support/api.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
/** Length of the stored ranges here: the recording has a few hundred blocks. */
const LEAF = 16

/** Indexes up to a block, stops, and continues to each next one. */
async function indexed(t: Test, chain: string, ...ends: number[]): Promise<TestDatabase> {
  const database = await testDatabase(t)
  for (const end of ends) await indexRecording(database.url, chain, new ReplaySource(path), end)
  await database.pool.query(
    `create or replace function meta.digest_leaf() returns int8 language sql immutable as 'select ${LEAF}::int8'`,
  )
  await database.pool.query('update meta.position set indexed = true')
  return database
}

const one = await indexed(t, 'wax', 250)
const other = await indexed(t, 'telos', 90, 250)
const sides = [new DatabaseSide(one.pool, 'wax', 'one'), new DatabaseSide(other.pool, 'telos', 'other')] as const
const lib = Number((await one.pool.query('select lib_num from meta.position')).rows[0].lib_num)

/** A row of a final block, with its key, its block and a column outside the key. */
async function someRow(pool: pg.Pool, table: string) {
  const { rows } = await pool.query(
    `select r.ctid, r.tableoid::regclass::text as part, r.block_num::int4 as block, to_jsonb(r) as row from ledger.${table} r
      where block_num <= $1 and block_num > (select first_block from meta.position) order by random() limit 1`,
    [lib],
  )
  return rows[0] as { ctid: string; part: string; block: number; row: Record<string, unknown> } | undefined
}

async function alterableColumn(pool: pg.Pool, table: string): Promise<{ name: string; change: string } | undefined> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select a.attname as name, t.typname as type from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = $1::regclass and a.attname = any (meta.digested_columns('ledger', $2)) and a.attname not in ('block_num')
        and a.attname <> all (meta.key_columns('ledger', $2)) order by a.attnum desc`,
    [`ledger.${table}`, table],
  )
  const changes: Record<string, string> = {
    text: `coalesce(%, '') || 'x'`,
    int8: 'coalesce(%, 0) + 1',
    int4: 'coalesce(%, 0) + 1',
    numeric: 'coalesce(%, 0) + 1',
    bytea: `coalesce(%, '') || '\\x01'`,
    bool: 'not coalesce(%, false)',
    timestamptz: `coalesce(%, 'epoch') + interval '1 second'`,
  }
  const found = rows.find(({ type }) => changes[type] !== undefined)
  return found && { name: found.name, change: changes[found.type]!.replaceAll('%', `o.${found.name}`) }
}

t.test('databases that were indexed in another way, under another name, are equal', async (t) => {
  const { difference, notes, range, tables } = await compare(sides)
  t.equal(difference, null)
  t.same(notes, [])
  t.ok(tables.length > 20, `${tables.length} tables`)
  // Nothing is stored yet: the whole first range and one more.
  t.ok(range !== null && range.to >= LEAF)
})

t.test('digests of final ranges are stored once, and change nothing', async (t) => {
  const stored = await digestRanges({ chain: 'wax', databaseUrl: one.url })
  t.ok(stored >= 3, `${stored} ranges`)
  t.equal(await digestRanges({ chain: 'wax', databaseUrl: one.url }), 0)
  t.equal(await digestRanges({ chain: 'telos', databaseUrl: other.url, limitMs: 0 }), Math.min(stored, 8))
  await digestRanges({ chain: 'telos', databaseUrl: other.url })
  t.match(await compare(sides), { difference: null, notes: [], range: { to: lib } })
})

t.test('one altered row of any table is found, with block, key and column', async (t) => {
  const { rows } = await one.pool.query<{ name: string }>('select name from meta.digested_tables() order by name')
  const found: string[] = []
  for (const { name } of rows) {
    const row = await someRow(other.pool, name)
    const column = await alterableColumn(other.pool, name)
    if (row === undefined || column === undefined) continue
    const { rows: changed } = await other.pool.query(
      `update ${row.part} r set ${column.name} = ${column.change} from ${row.part} o where r.ctid = $1 and o.ctid = $1
        returning r.ctid, o.${column.name} as before`,
      [row.ctid],
    )
    await other.pool.query('delete from meta.range_digests')
    await digestRanges({ chain: 'telos', databaseUrl: other.url })
    const { difference } = await compare(sides)
    const [table, ...more] = difference?.tables ?? []
    const [differing] = table?.differing ?? []
    const expected = { block: row.block, name, kind: 'changed', columns: [column.name] }
    t.same(
      {
        block: difference?.block,
        name: table?.name,
        kind: differing?.kind,
        columns: Object.keys(differing?.columns ?? {}),
      },
      expected,
    )
    for (const [key, value] of Object.entries(differing?.key ?? {}))
      if (typeof value === 'number') t.equal(value, row.row[key])
    t.same(more, [])
    found.push(name)
    const { ctid, before } = changed[0] as { ctid: string; before: unknown }
    await other.pool.query(`update ${row.part} set ${column.name} = $1 where ctid = $2`, [before, ctid])
  }
  t.ok(found.length >= 8, found.join(' '))
  await other.pool.query('delete from meta.range_digests')
  await digestRanges({ chain: 'telos', databaseUrl: other.url })
  t.equal((await compare(sides)).difference, null, 'all is as before')
})

t.test('digests of other columns, from before a migration, are computed again', async (t) => {
  for (const { pool } of [one, other]) await pool.query('alter table ledger.swaps add column later text')
  // No indexer has run since the migration: both sides leave the stored digests out.
  t.match(await compare(sides), { difference: null, notes: [] })
  await digestRanges({ chain: 'telos', databaseUrl: other.url })
  const { difference, range } = await compare(sides)
  t.equal(difference, null, 'stored again on one side')
  t.ok(range !== null && range.to < lib, 'the other side has no stored ranges')
  t.ok((await digestRanges({ chain: 'wax', databaseUrl: one.url })) >= 3)
  t.match(await compare(sides), { difference: null, notes: [], range: { to: lib } })
  for (const { pool } of [one, other]) await pool.query('alter table ledger.swaps drop column later')
  await digestRanges({ chain: 'wax', databaseUrl: one.url })
  await digestRanges({ chain: 'telos', databaseUrl: other.url })
})

t.test('a missing row, over the API', async (t) => {
  const api = await testApi(t, one)
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = new URL(address) as unknown as AddressInfo
  const overApi = new ApiSide(`http://127.0.0.1:${port}`)
  t.match(await compare([overApi, sides[1]]), { difference: null })

  const row = (await someRow(other.pool, 'transfers'))!
  await other.pool.query('begin; commit')
  const { rows: kept } = await other.pool.query(`delete from ${row.part} where ctid = $1 returning *`, [row.ctid])
  // A rewind of the stored ranges has the same effect.
  await other.pool.query('delete from meta.range_digests where first_block > $1::int8 - meta.digest_leaf()', [
    row.block,
  ])
  const { difference } = await compare([overApi, sides[1]])
  t.match(difference, { block: row.block, tables: [{ name: 'transfers', differing: [{ kind: 'extra' }] }] })
  t.equal(difference!.tables[0]!.rows[0], difference!.tables[0]!.rows[1] + 1)
  t.equal(difference!.tables[0]!.differing[0]!.key.global_seq, String(kept[0].global_seq))
  await other.pool.query(`insert into ${row.part} select * from jsonb_populate_record(null::${row.part}, $1)`, [
    JSON.stringify(row.row),
  ])
  t.equal((await compare([overApi, sides[1]])).difference, null)

  t.test('invalid requests are refused', async (t) => {
    t.equal((await api.get('/api/v3/digests/ranges?from=5&to=4')).status, 400)
    t.equal((await api.get(`/api/v3/digests/ranges?from=5&to=${lib + 1000}`)).status, 400)
    t.equal((await api.get('/api/v3/digests/ranges?from=0&to=5')).status, 400)
    t.equal((await api.get('/api/v3/digests/rows?table=position&block=9')).status, 404)
    t.equal((await api.get(`/api/v3/digests/rows?table=${encodeURIComponent("blocks' --")}&block=9`)).status, 404)
    await t.rejects(new ApiSide(`${address}/elsewhere`).summary(), { code: 'COMPARE_OLDER' })
    await t.rejects(new ApiSide('http://127.0.0.1:2').summary(), { code: 'COMPARE_UNREACHABLE' })
    t.throws(() => new ApiSide('wax.example.org'), { code: 'COMPARE_ADDRESS' })
  })
})

t.test('blocks before the start of the later database are not compared', async (t) => {
  await other.pool.query('update meta.position set first_block = first_block + 50')
  const { difference, notes, range } = await compare(sides)
  t.equal(difference, null)
  t.match(notes[0], /begins at block/)
  t.ok(range!.from > 50)
  await other.pool.query('update meta.position set first_block = first_block - 50')
})

t.test('a chain that is not indexed is refused', async (t) => {
  await t.rejects(new DatabaseSide(one.pool, 'eos', 'one').summary(), { code: 'UNKNOWN_CHAIN' })
  const api = await testApi(t, one, { chains: [testChain('eos')] })
  t.equal((await api.get('/api/v3/digests', { host: 'eos.localhost' })).status, 409)
})

t.test('a chain that is being filled is refused', async (t) => {
  const api = await testApi(t, one)
  await one.pool.query('update meta.position set indexed = false')
  t.teardown(() => one.pool.query('update meta.position set indexed = true'))
  await t.rejects(compare(sides), {
    code: 'COMPARE_NOT_READY',
    message: 'the chain wax is being filled in this database',
  })
  for (const path of ['', '/ranges?from=5&to=9', '/rows?table=blocks&block=9'])
    t.match(await api.get(`/api/v3/digests${path}`), { status: 409, body: { message: /is being filled/ } })
})

t.test('all chains share one computation at a time', async (t) => {
  await one.pool.query(`select meta.add_chain('eos');
    insert into meta.position select (jsonb_populate_record(p, '{"chain": "eos"}')).* from meta.position p`)
  t.teardown(() => one.pool.query(`delete from meta.position where chain = 'eos'`))
  const pool = readOnly(t, one.url)
  let running = 0
  let most = 0
  const query = pool.query.bind(pool) as (text: string, values: unknown[]) => Promise<unknown>
  const counted = async (text: string, values: unknown[]) => {
    if (!text.includes('meta.digests(')) return await query(text, values)
    most = Math.max(most, ++running)
    return await query(text, values).finally(() => running--)
  }
  Object.assign(pool, { query: counted })
  const api = await testApi(t, one, { pool, chains: [testChain('wax'), testChain('eos')] })
  const ask = (host: string) => api.get(`/api/v3/digests/ranges?from=5&to=9`, { host })
  const answers = await Promise.all(['wax.localhost', 'eos.localhost', 'eos.localhost', 'wax.localhost'].map(ask))
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  t.equal(most, 1)
})

t.test('rows are sent in the order of their keys, byte by byte', async (t) => {
  const { rows: blocks } = await one.pool.query(
    'select block_num::int4 as block from ledger.transfers group by 1 having count(*) > 1 order by count(*) desc limit 5',
  )
  t.ok(blocks.length > 0)
  for (const { block } of blocks) {
    const { columns, key, rows } = await sides[0].rows('transfers', block)
    const keys = rows.map((row) => key.map((column) => row[columns.indexOf(column)]).join(' '))
    t.same(
      keys,
      keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
  }
})
