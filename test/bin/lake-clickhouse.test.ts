// `headwater lake --clickhouse --follow --current` as a program, killed at its statements: at the end every table equals
// PostgreSQL's view to the last digit.
import type pg from 'pg'
import t, { type Test } from 'tap'
import { connectClickHouse, parseClickHouse } from '../../indexer/lake/clickhouse/client.ts'
import { DEVNET_HISTORY } from '../docs/sql-history.ts'
import { compareTables, type Row } from '../indexer/lake/compare-tables.ts'
import { ClickHouseServer, installClickHouse, REQUIRED_VARIABLE } from '../support/clickhouse/clickhouse.ts'
import { type Death, KillingProxy } from '../support/clickhouse/killing-proxy.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { until } from '../support/until.ts'
import { type Running, start } from './program.ts'

const ROUNDS = process.env.HEADWATER_TEST_LONG ? 6 : 1
t.setTimeout(3_600_000)

/**
 * Statements at which the program dies, and a bound of how many of them are answered before. A round may have fewer of them:
 * datasets without rows are not inserted.
 */
const MOMENTS: readonly (readonly [at: RegExp, bound: number])[] = [
  [/^insert into (?!lake_positions|\w+_next )/, 12],
  [/^create table if not exists \w+_next /, 24],
  [/^exchange tables /, 24],
  [/^drop table (?!if)/, 24],
  [/^insert into lake_positions /, 3],
  [/^insert into \w+_next /, 12],
]
/** The last statement of a copy of all current rows. */
const LAST = 'drop table board_trader_months_next'

const missing = await installClickHouse()
if (missing !== null) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(missing.missing)
  else t.comment(`not run: ${missing.missing}`)
} else
  t.test('a program that is killed at inserts and while it replaces current rows', async (t) => {
    const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
    const random = new Random(seedFromEnvironment())
    const server = new ClickHouseServer(t)
    await server.start()
    const proxy = new KillingProxy(t, server.url(''))
    await proxy.start()
    const { rows: ends } = await pool.query<{ chain: string; first: number; lib: number }>(
      'select chain, first_block::int4 as first, lib_num::int4 as lib from meta.position',
    )
    /** @param part  part of the final blocks that are final */
    const finalUpTo = async (part: number) => {
      for (const { chain, first, lib } of ends) {
        const num = Math.floor(first + (lib - first) * part)
        await pool.query('update meta.position set lib_num = $2 where chain = $1', [chain, num])
      }
    }
    const lake = () => {
      const args = ['lake', '--clickhouse', proxy.url('hw'), '--follow', '--current', '--every', '1']
      return start(args, { DATABASE_URL: url })
    }
    /** Waits until a program has copied all current rows, after which it has no more work, or has ended. */
    const roundEnds = ({ child, output }: Running, before: number) =>
      until(
        () => `all current rows are copied: ${output.stderr}`,
        () => child.exitCode !== null || child.signalCode !== null || proxy.statements.indexOf(LAST, before) >= 0,
      )
    /** @returns whether the program died; else it ended its round first, and was stopped */
    const dies = async (death: Omit<Death, 'kill'>) => {
      const program = lake()
      const { child, outcome } = program
      const before = proxy.statements.length
      proxy.death = { ...death, kill: () => child.kill('SIGKILL') }
      await roundEnds(program, before)
      if (proxy.death === null) {
        const { stderr } = await outcome
        t.equal(child.signalCode, 'SIGKILL', `${death.at}, number ${death.after + 1}, ${death.isExecuted} ${stderr}`)
        return true
      }
      proxy.death = null
      child.kill('SIGTERM')
      const { code, stderr } = await outcome
      t.equal(code, 0, `a round without number ${death.after + 1} of ${death.at} ${stderr}`)
      return false
    }
    const deaths = Array.from({ length: ROUNDS }, () => MOMENTS).flat()
    let part = 0
    for (const [i, [at, bound]] of deaths.entries()) {
      let after = random.integer(0, bound - 1)
      const isExecuted = random.chance(0.5)
      for (;;) {
        part += (1 - part) / (deaths.length - i + 1)
        await finalUpTo(part)
        if (await dies({ at, after, isExecuted })) break
        // Each round has at least one of the statements.
        if (after === 0) throw new Error(`no ${at} in a round`)
        after = Math.floor(after / 2)
      }
    }

    await finalUpTo(1)
    const before = proxy.statements.length
    const program = lake()
    await roundEnds(program, before)
    program.child.kill('SIGTERM')
    t.match(await program.outcome, { code: 0 })
    await tablesAreEqual(t, server, pool)
  })

/** Each table has the rows of its view, and the totals have each trade once. */
async function tablesAreEqual(t: Test, server: ClickHouseServer, pool: pg.Pool): Promise<void> {
  const settings = {
    database: 'hw',
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_decimals: 1,
  }
  const ask = connectClickHouse(parseClickHouse(server.url('hw')), new AbortController().signal)
  const query = async (sql: string) => {
    const text = await ask({ sql: `${sql} format JSONEachRow`, settings })
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
  }
  const tables = await compareTables(query, pool, { isFacts: false })
  t.same(
    tables.filter(({ difference }) => difference !== null),
    [],
    'each table has the rows of its view',
  )
  const names = tables.map(({ table }) => table)
  t.equal(names.filter((name) => name.startsWith('board_')).length, 6)
  t.same(
    names.filter((name) => name.endsWith('_next')),
    [],
  )
  t.ok(names.length > 45 && tables.filter(({ rows }) => rows > 0).length > 35, `${names.length} tables`)
  const { rows: trades } = await pool.query(
    `select (select count(*) from final.swaps)::int4 as swaps, (select count(*) from final.deals)::int4 as deals`,
  )
  t.same(
    await query(
      `select (select toInt32(sum(swaps)) from pool_days) as swaps,
         (select toInt32(sum(trades)) from candles where market_kind = 'spot' and resolution = '1') as deals`,
    ),
    trades,
    'day totals and candles have each trade once',
  )
  t.comment(`${tables.reduce((sum, { values }) => sum + values, 0)} values in ${names.length} tables`)
}
