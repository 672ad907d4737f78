// A lake in ClickHouse, the real engine with tables on disk: every row once, whichever side is killed.
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import t, { type Test } from 'tap'
import { RetryableError } from '../../../core/errors.ts'
import { type Ask, connectClickHouse, parseClickHouse } from '../../../indexer/lake/clickhouse/client.ts'
import { LakeClickHouse } from '../../../indexer/lake/clickhouse/target.ts'
import { type LakeOptions, writeLake } from '../../../indexer/lake/lake.ts'
import { DEVNET_HISTORY } from '../../docs/sql-history.ts'
import { workedQueries } from '../../docs/sql-page.ts'
import { ClickHouseServer, installClickHouse, REQUIRED_VARIABLE } from '../../support/clickhouse/clickhouse.ts'
import { testDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { makeUpRows } from '../publish/made-up-rows.ts'
import { compareTables, type Row } from './compare-tables.ts'

const { signal } = new AbortController()
const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const missing = await installClickHouse()
if (missing !== null) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(missing.missing)
  else t.comment(`not run: ${missing.missing}`)
} else t.test('a lake in ClickHouse', load)

async function load(t: Test): Promise<void> {
  const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
  const server = new ClickHouseServer(t)
  await server.start()
  const { rows: found } = await pool.query(
    `select lib_num::int4 as lib, first_block::int4 as first from meta.position where chain = 'wax'`,
  )
  const { lib, first } = found[0]
  const setLib = (num: number) => pool.query(`update meta.position set lib_num = $1 where chain = 'wax'`, [num])
  const askOf = (database: string) => connectClickHouse(parseClickHouse(server.url(database)), signal)
  const options = (database: string, wrap: (ask: Ask) => Ask = (ask) => ask): LakeOptions => ({
    ...{ url, chains: ['wax'], views: ['swaps', 'deals'], signal },
    target: new LakeClickHouse(wrap(askOf(database)), parseClickHouse(server.url(database))),
  })
  const rowsOf = async (database: string, sql: string) => {
    const settings = { database, output_format_json_quote_64bit_integers: 1, output_format_json_quote_decimals: 1 }
    const text = await askOf(database)({ sql: `${sql} format JSONEachRow`, settings })
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
  }

  /** Removes tables that an engine would load at each of its next starts. */
  const forget = (database: string) => askOf(database)({ sql: `drop database ${database} sync` })

  /** Compares facts, candles and day totals with those of PostgreSQL. */
  const compare = async (database: string): Promise<string[]> => {
    const problems: string[] = []
    const same = (what: string, here: unknown, there: unknown) => {
      if (JSON.stringify(here) !== JSON.stringify(there))
        problems.push(`${what}: ${JSON.stringify(here).slice(0, 300)}, not ${JSON.stringify(there).slice(0, 300)}`)
    }
    for (const table of ['swaps', 'deals']) {
      const here = await rowsOf(database, `select global_seq from ${table} order by global_seq`)
      const { rows } = await pool.query(`select global_seq from final.${table} where chain = 'wax' order by global_seq`)
      same(table, here, rows)
    }
    const days = await rowsOf(
      database,
      'select toString(day) as day, pool_id, swaps, volume_a, volume_usd, without_usd from pool_days order by day, pool_id',
    )
    const { rows: raw } = await pool.query(
      `select (block_time at time zone 'UTC')::date::text as day, pool_id::text, count(*)::text as swaps, trim_scale(sum(abs(quantity_a)))::text as volume_a,
         trim_scale(sum(usd))::text as volume_usd, (count(*) - count(usd))::text as without_usd from final.swaps where chain = 'wax' group by 1, 2 order by 1, pool_id`,
    )
    same('days', days, raw.sort(byDay))
    const { rows: trades } = await pool.query(
      `select 'amm' as kind, count(*)::int4 * 9 as n from final.swaps where chain = 'wax' union all select 'spot', count(*)::int4 * 9 from final.deals where chain = 'wax' order by 1`,
    )
    same(
      'trades in candles',
      await rowsOf(
        database,
        'select market_kind as kind, toInt32(sum(trades)) as n from candles group by kind order by kind',
      ),
      trades,
    )
    return problems
  }

  t.test('every row once, with the candles and the day totals of PostgreSQL', async (t) => {
    const all = () => ({ ...options('whole'), views: undefined, current: true })
    await setLib(first + 120)
    await writeLake(all())
    t.same(await compare('whole'), [])
    await setLib(lib)
    t.match(await writeLake(all()), [{ chain: 'wax', completeTo: lib }])
    t.same(await compare('whole'), [])
    const here = await rowsOf(
      'whole',
      `select market_kind, market_id, resolution, toUnixTimestamp(bucket_time) as at, open, high, low, close, volume_base, volume_target, volume_usd, trades, trades_without_usd
       from candles`,
    )
    const { rows: there } = await pool.query(
      `select market_kind, market_id::text, resolution, extract(epoch from bucket_time)::int4 as at, open::float8, high::float8, low::float8, close::float8,
         trim_scale(volume_base)::text as volume_base, trim_scale(volume_target)::text as volume_target, trim_scale(volume_usd)::text as volume_usd,
         trades::text, trades_without_usd::text
       from final.candles where chain = 'wax'`,
    )
    t.ok(here.length > 1000)
    t.equal(here.length, there.length)
    const texts = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
    const [loaded, expected] = [texts(here), texts(there)]
    t.equal(
      loaded.find((text, i) => text !== expected[i]),
      undefined,
      'the first candle that differs',
    )
    t.match(await writeLake(all()), [{ steps: 0, rows: 0 }])
  })

  t.test('tables and views of an earlier version go on: each trade is in each candle once', async (t) => {
    const database = 'earlier'
    await askOf(database)({ sql: `create database ${database}` })
    const statements = await readFile(new URL('earlier-totals.sql', import.meta.url), 'utf8')
    const target = options(database, (ask) => async (statement) => {
      const answer = await ask(statement)
      if (!statement.sql.startsWith('create table if not exists deals')) return answer
      for (const sql of statements.split(';\n').filter((part) => part.trim() !== ''))
        await ask({ sql, settings: { database } })
      return answer
    })
    await setLib(first + 120)
    await writeLake(target)
    const kept = `select uniqExact(resolution) as kept from candle_states`
    t.same(await rowsOf(database, kept), [{ kept: '9' }], 'these are the states of the earlier version')
    t.same(await compare(database), [])
    await setLib(lib)
    await writeLake(options(database))
    t.same(await compare(database), [])
    const candles = 'select * from candles order by market_kind, market_id, resolution, bucket_time'
    t.same(await rowsOf(database, candles), await rowsOf('whole', candles))
  })

  t.test('the worked queries give the results of PostgreSQL', async (t) => {
    const read = async (name: string) => readFile(new URL(`../../../docs/data/${name}`, import.meta.url), 'utf8')
    const there = new Map(workedQueries(await read('sql.md')).map((query) => [query.title, query]))
    const here = workedQueries((await read('clickhouse.md')).replaceAll('\n### ', '\n## '))
    t.same(here.map(({ title }) => title).sort(), [...there.keys()].sort(), 'every query of sql.md, and no other')
    await writeLake({ ...options('whole'), views: undefined, chains: undefined })
    for (const { title, sql } of here) {
      const rows = await rowsOf('whole', sql)
      const same = there.get(title)
      if (same === undefined) {
        t.fail(`sql.md has no query "${title}"`)
        continue
      }
      const final = same.sql.replaceAll('head.', 'final.')
      const results = [await pool.query(`set timezone = 'UTC'; ${final}`)].flat() as pg.QueryResult[]
      const expected = results.findLast(({ rowCount, fields }) => fields.length > 0 && (rowCount ?? 0) > 0)?.rows ?? []
      t.ok(expected.length > 0, title)
      t.same(Object.keys(rows[0] ?? {}), same.columns, title)
      const [found, wanted] = [inOrder(rows.map(plain)), inOrder(expected.map(plain))]
      const isSame = found.every((row, i) => row.every((value, column) => isNear(value, wanted[i]?.[column])))
      t.equal(found.length, wanted.length, title)
      if (!isSame) t.same(found, wanted, title)
    }
  })

  /** Three rounds, in which more and more is final. */
  const ends = [first + 40, first + 90, lib - 60]

  t.test('a loader that dies at any request, before or after its answer, leaves no row twice', async (t) => {
    let requests = 0
    const rounds = async (name: string, wrap: (ask: Ask) => Ask) => {
      let deaths = 0
      let target = options(name, wrap)
      // The last round finds nothing new, and asks.
      for (const end of [...ends, ends.at(-1) as number]) {
        await setLib(end)
        try {
          await writeLake(target)
        } catch (error) {
          if (!/died/.test(String((error as Error).message))) throw error
          deaths++
          target = options(name)
        }
      }
      await writeLake(options(name))
      return deaths
    }
    await rounds('counted', (ask) => (statement) => {
      requests++
      return ask(statement)
    })
    t.ok(requests > 30)
    await forget('counted')
    for (let at = 1; at <= requests; at += isLong ? 1 : 17) {
      const isAfter = at % 2 === 0
      let number = 0
      const deaths = await rounds(`died_${at}`, (ask) => async (statement) => {
        number++
        if (number === at && !isAfter) throw new RetryableError('CLICKHOUSE_UNAVAILABLE', 'died')
        const answer = await ask(statement)
        if (number === at) throw new RetryableError('CLICKHOUSE_UNAVAILABLE', 'died')
        return answer
      })
      t.equal(deaths, 1)
      t.same(await compare(`died_${at}`), [], `request ${at}`)
      await forget(`died_${at}`)
    }
    await setLib(lib)
  })

  t.test('an engine that is killed at any insert, before or after it, has no row twice and lacks none', async (t) => {
    let [at, kills] = [1, 0]
    for (let isHit = true; isHit; at += isLong ? 1 : 3)
      for (const when of isLong ? ['before', 'after'] : [at % 2 === 0 ? 'before' : 'after']) {
        await server.stop()
        await server.start(`${when} ${at}`)
        const name = `killed_${when}_${at}`
        for (const end of ends) {
          await setLib(end)
          try {
            await writeLake(options(name))
          } catch (error) {
            t.match(error, { code: 'CLICKHOUSE_UNAVAILABLE', hint: /./ })
            await until(`${name}: it was killed`, () => server.isDead)
            kills++
            await server.stop()
            await server.start()
            await writeLake(options(name))
          }
        }
        isHit = at < 7 || (isLong && at < 30)
        t.same(await compare(name), [], name)
        await forget(name)
      }
    t.ok(kills >= (isLong ? 20 : 3), `${kills} kills`)
    // The last number may be above that of all inserts: the engine of the next tests waits for no kill.
    await server.stop()
    await server.start()
    await setLib(lib)
  })

  t.test('materialised views that missed an insert get it when it is repeated', async (t) => {
    const name = 'views'
    await setLib(first + 90)
    let isLost = false
    const target = options(name, (ask) => async (statement) => {
      const isInsert = statement.sql.startsWith('insert into swaps')
      if (!isInsert || isLost) return ask(statement)
      isLost = true
      // As if the server had died between the table and its views.
      for (const view of ['candles_of_swaps', 'days_of_swaps'])
        await ask({ sql: `detach table ${view}`, settings: { database: name } })
      await ask(statement)
      for (const view of ['candles_of_swaps', 'days_of_swaps'])
        await ask({ sql: `attach table ${view}`, settings: { database: name } })
      throw new RetryableError('CLICKHOUSE_UNAVAILABLE', 'died')
    })
    await t.rejects(writeLake(target), /died/)
    t.not((await compare(name)).length, 0)
    await writeLake(options(name))
    t.same(await compare(name), [])
    await setLib(lib)
  })

  t.test('a step is there once, also when the tables have forgotten its tokens', async (t) => {
    const name = 'forgotten'
    const ask = askOf(name)
    const target = (wrap: (ask: Ask) => Ask = (one) => one) =>
      new LakeClickHouse(wrap(ask), parseClickHouse(server.url(name)), 2)
    const telos = async () => {
      for (const at of [1, 2, 3])
        await ask({
          sql: `insert into swaps (chain, block_num, block_time, pool_id, global_seq, price) values ('telos', ${at}, '2026-03-08 00:00:00', 1, ${at}, 1)`,
          settings: { database: name },
        })
      const value = JSON.stringify({ chain: 'telos', version: '9', text: '{}' })
      const sql = `insert into lake_positions (chain, version, text) format JSONEachRow ${value}`
      await ask({ sql, settings: { database: name } })
    }
    const died = (sql: string) => (one: Ask) => async (statement: Parameters<Ask>[0]) => {
      const answer = await one(statement)
      if (statement.sql.startsWith(sql)) throw new RetryableError('CLICKHOUSE_UNAVAILABLE', 'died')
      return answer
    }
    await setLib(first + 90)
    await t.rejects(writeLake({ ...options(name), target: target(died('insert into swaps')) }), /died/)
    await telos()
    await writeLake({ ...options(name), target: target() })
    const swaps = await pool.query(
      `select count(*)::int4 as n, count(price)::int4 as priced from final.swaps where chain = 'wax'`,
    )
    const { n, priced } = swaps.rows[0]
    const counts = `select (select toInt32(count()) from swaps where chain = 'wax') as n,
      (select toInt32(sum(swaps)) from pool_days where chain = 'wax') as in_days,
      (select toInt32(sum(trades)) from candles where chain = 'wax' and market_kind = 'amm' and resolution = '1') as priced`
    t.same(await rowsOf(name, counts), [{ n, in_days: n, priced }])

    await setLib(lib)
    await t.rejects(writeLake({ ...options(name), target: target(died('insert into swaps')) }), /died/)
    await telos()
    const sql = `alter table pool_days_states delete where chain = 'wax' settings mutations_sync = 1`
    await ask({ sql, settings: { database: name } })
    await t.rejects(writeLake({ ...options(name), target: target() }), { code: 'LAKE_CONFLICT', message: /in part/ })
  })

  t.test('every column of every dataset, to the last digit', async (t) => {
    await makeUpRows(async (sql, ...values) => (await pool.query(sql, values)).rows, 'wax', lib)
    const all = { ...options('every'), views: undefined }
    await writeLake(all)
    const query = (sql: string) => rowsOf('every', sql)
    const compared = await compareTables(query, pool, { where: `chain = 'wax'`, isFacts: true })
    t.ok(compared.length > 25)
    t.same(
      compared.filter(({ difference }) => difference !== null),
      [],
    )
    const values = compared.reduce((sum, table) => sum + table.values, 0)
    t.comment(`${values} values in ${compared.length} tables`)
    t.ok(values > 20_000)
  })

  t.test('what cannot be continued is refused', async (t) => {
    await t.rejects(writeLake(options('whole')), {
      code: 'LAKE_CONFLICT',
      message: /not among the datasets/,
      hint: /./,
    })
    await askOf('whole')({ sql: 'truncate table lake_positions', settings: { database: 'whole' } })
    await t.rejects(writeLake(options('whole')), { code: 'LAKE_CONFLICT', hint: /./ })
    await askOf('whole')({ sql: 'drop table swaps', settings: { database: 'every' } })
    await askOf('whole')({ sql: 'create table swaps (chain String) engine = Memory', settings: { database: 'every' } })
    await askOf('whole')({ sql: 'truncate table lake_positions', settings: { database: 'every' } })
    await askOf('whole')({ sql: 'truncate table deals', settings: { database: 'every' } })
    await t.rejects(writeLake(options('every')), { code: 'CLICKHOUSE_REFUSED', hint: /./ })
    for (const address of ['clickhouse', 'tcp://127.0.0.1:9000', 'http://h/a-b', 'http://h/?x=1'])
      t.throws(() => parseClickHouse(address), { code: 'CLICKHOUSE_ADDRESS', hint: /./ })
    t.match(parseClickHouse('https://some%40one:secret@host:8443/hw'), {
      ...{ text: 'https://host:8443/hw', url: 'https://host:8443/', database: 'hw' },
      headers: { 'x-clickhouse-user': 'some@one', 'x-clickhouse-key': 'secret' },
    })
    await server.stop()
    await t.rejects(writeLake(options('whole')), { code: 'CLICKHOUSE_UNAVAILABLE', hint: /./ })
  })
}

/** Times in milliseconds, durations in seconds; numbers as such, whatever their type. */
function plain(row: Record<string, unknown>): unknown[] {
  return Object.values(row).map((value) => {
    if (value instanceof Date) return value.getTime()
    if (isInterval(value)) return secondsOf(value)
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(value)) return Date.parse(`${value}Z`)
    return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  })
}

/** Members that are 0 are absent. */
type Interval = Partial<Record<'days' | 'hours' | 'minutes' | 'seconds' | 'milliseconds', number>>

function isInterval(value: unknown): value is Interval {
  return typeof value === 'object' && value !== null && 'toISOString' in value
}

function secondsOf({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 }: Interval): number {
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds + milliseconds / 1000
}

/** Rows in one order, for both engines. */
function inOrder(rows: unknown[][]): unknown[][] {
  const key = (row: unknown[]) =>
    JSON.stringify(row.map((value) => (typeof value === 'number' ? value.toPrecision(6) : value)))
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Whether values are equal, numbers to nine digits. */
function isNear(a: unknown, b: unknown): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}

function byDay(a: Row, b: Row): number {
  if (a.day !== b.day) return String(a.day) < String(b.day) ? -1 : 1
  return Number(a.pool_id) - Number(b.pool_id)
}
