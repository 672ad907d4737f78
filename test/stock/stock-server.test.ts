// The main functions on PostgreSQL as Debian installs it: default configuration with `jit = on`, passwords, and an
// owner that is no superuser.
import pg from 'pg'
import t, { type Test } from 'tap'
import { countHours } from '../../indexer/derive/hours/count.ts'
import { BOARDS, refreshBoard } from '../../indexer/jobs/refresh-boards.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { verifyChain } from '../../indexer/verify/verify.ts'
import { migrate } from '../../migrations/migrate.ts'
import { openClient } from '../../net/postgres.ts'
import { checkLedger } from '../indexer/replay/check-recording.ts'
import { canonicalBlocks, readFrames } from '../indexer/replay/frames.ts'
import { indexExchange } from '../indexer/replay/index-recording.ts'
import { REQUIRED_VARIABLE, type StockServer, startStockServer } from '../support/stock-server.ts'

const path = new URL('../fixtures/recordings/forks.ship.gz', import.meta.url).pathname
/** A statement whose estimated cost is far above `jit_above_cost`. */
const EXPENSIVE = `explain (format json)
  select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b where a + b > 3`

const server = await startStockServer()
if ('missing' in server) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(server.missing)
  else t.comment(`not run: ${server.missing}`)
} else {
  t.teardown(() => server.stop())
  t.test('a stock server', (t) => works(t, server))
}

async function works(t: Test, { adminUrl, url, log }: StockServer): Promise<void> {
  const admin = new pg.Client(adminUrl)
  await admin.connect()
  t.teardown(() => admin.end())
  const { rows } = await admin.query(
    `select name, setting from pg_settings where name in ('jit', 'shared_buffers', 'fsync', 'password_encryption', 'max_connections')
     order by name`,
  )
  t.same(
    rows.map(({ name, setting }) => `${name} ${setting}`),
    ['fsync on', 'jit on', 'max_connections 100', 'password_encryption scram-sha-256', 'shared_buffers 16384'],
  )
  // Logs each plan, including plans inside functions, and whether it was compiled.
  const watched = { session_preload_libraries: 'auto_explain', 'auto_explain.log_min_duration': '0' }
  for (const [name, value] of Object.entries({ ...watched, 'auto_explain.log_nested_statements': 'on' }))
    await admin.query(`alter role keeper set ${name} = '${value}'`)

  await migrate(url)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  t.teardown(() => pool.end())
  const who = await pool.query('select rolsuper from pg_roles where rolname = current_user')
  t.same(who.rows, [{ rolsuper: false }])

  const { forks, position } = await indexExchange(url, 'wax', new ReplaySource(path))
  t.ok(forks.length > 0, `${forks.length} forks`)
  const blocks = canonicalBlocks(await readFrames(path))
  t.equal(position.num, blocks.at(-1)!.num)
  t.test('rows and candles match the recording', async (t) => void checkLedger(t, pool, 'wax', blocks))

  t.test('verify finds no difference', async (t) => {
    const report = await verifyChain(url, 'wax')
    t.ok(report.ok)
    t.ok(report.checks.some(({ name }) => name === 'candles'))
  })

  t.test('no statement of the program or of a reader uses JIT', async (t) => {
    const text = log()
    t.ok(text.includes('refresh_candles') && text.includes('meta.rewind'), 'the plans are in the log')
    t.notMatch(text, /^\s*JIT:/m)
    await pool.query(`create role analyst login password 'secret' in role headwater_reader`)
    const compiles = async (client: pg.Client) => {
      await client.connect()
      const plan = (await client.query(EXPENSIVE)).rows[0]['QUERY PLAN'][0]
      return client.end().then(() => plan.JIT !== undefined)
    }
    t.equal(await compiles(new pg.Client(adminUrl)), true, 'the server does compile')
    t.equal(await compiles(openClient({ connectionString: url })), false)
    const reader = Object.assign(new URL(url), { username: 'analyst', password: 'secret' }).href
    t.equal(await compiles(new pg.Client(reader)), false)
  })

  t.test('sessions of readers can be ended', async (t) => {
    await pool.query('select from meta.end_reader_sessions()')
    t.same((await pool.query('select * from meta.unbounded_readers()')).rows, [])
  })

  t.test('boards are refreshed by an owner that is no superuser', async (t) => {
    await pool.query(
      `insert into ledger.hour_snapshots (chain, hour, block_num, block_time, pools_without_usd, orders_without_usd, pools, markets)
       select 'wax', date_trunc('hour', block_time, 'UTC'), block_num, block_time, 0, 0, 0, 0 from ledger.blocks b
       where block_num = (select lib_num from meta.position)`,
    )
    t.equal(await countHours({ chain: 'wax', databaseUrl: url }), 1)
    for (const board of BOARDS) t.ok(await refreshBoard(url, board), board)
    const { rows } = await pool.query('select accounts::int4 from board.account_days')
    t.ok(rows[0]?.accounts > 3)
  })
}
