// An API on a standby: notices blocks without LISTEN, reports its lag, repeats statements that the replay cancels.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { announcements } from '../../api/live-market/announcements.ts'
import { openDatabase } from '../../bin/database.ts'
import type { Config } from '../../config/program-schema.ts'
import { exportView } from '../../indexer/export/export.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { databaseError } from '../../indexer/store/errors.ts'
import { schemaFiles } from '../../migrations/files.ts'
import { migrate } from '../../migrations/migrate.ts'
import { openClient, openPool } from '../../net/postgres.ts'
import { indexExchange } from '../indexer/replay/index-recording.ts'
import { testApi } from '../support/api.ts'
import { testPool } from '../support/database.ts'
import type { ReplicatedServers } from '../support/standby.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const path = new URL('../fixtures/recordings/small.ship.gz', import.meta.url).pathname
/** The recording ends at block 103, and other tests go on from the last of these. */
const BLOCKS = process.env.HEADWATER_TEST_LONG ? 40 : 10

export async function standbyServes(t: Test, { primary, standby, replayed }: ReplicatedServers): Promise<void> {
  const [url, there] = [primary.url('live'), standby.url('live')]
  await indexExchange(url, 'wax', new ReplaySource(path), 60)
  await replayed()
  const pool = testPool(t, there, { max: 4 })
  const maxLagSeconds = Number.MAX_SAFE_INTEGER
  const api = await testApi(t, { url: there, pool }, { maxLagSeconds, maxReplayLagSeconds: 1 })

  t.test('blocks are in the answers soon after they are committed on the primary', async (t) => {
    const market = api.contexts[0]?.market
    const delays: number[] = []
    const requests: number[] = []
    for (let block = 61; block <= 60 + BLOCKS; block++) {
      await indexExchange(url, 'wax', new ReplaySource(path), block)
      const committed = performance.now()
      await until(`block ${block}`, () => market?.state?.at.block === block)
      const found = performance.now()
      delays.push(found - committed)
      await api.get('/status')
      requests.push(performance.now() - found)
    }
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[BLOCKS / 2] ?? 0
    // Looks every second alone would take half a second on average. On a busy machine requests take longer, too.
    const most = 350 + 10 * median(requests)
    t.ok(median(delays) < most, `median of ${Math.round(median(delays))} ms, ${Math.round(most)} at most`)
  })

  t.test('a pool on the primary and a listener on the standby do not make it busy', async (t) => {
    const messages: string[] = []
    const note = (message: string) => void messages.push(message)
    const changes: (string | null)[] = []
    const mixed = announcements(there, testPool(t, url, { max: 1 }), (chain) => void changes.push(chain), {
      ...{ info: note, warn: note, error: note },
    })
    t.teardown(() => mixed.close())
    const began = performance.now()
    await until('a change', () => changes.includes('wax'))
    await delay(3000)
    const seconds = (performance.now() - began) / 1000
    t.same(messages, ['the database is a standby: polls it for new blocks'])
    const attempts = changes.filter((chain) => chain === 'wax').length
    t.ok(attempts <= seconds, `${attempts} attempts to listen in ${seconds.toFixed(1)} s`)
  })

  t.test('the lag is in the status and the metrics, and ends readiness', async (t) => {
    const status = async () => (await api.get('/status')).body.replication
    await until('the replay', async () => (await status()).replayLagSeconds === 0)
    t.match(await status(), { standby: true, replayLagBytes: 0, receiving: true })
    t.equal((await api.get('/health/ready')).status, 200)
    await standby.query('select pg_wal_replay_pause()')
    await primary.query('create table lag as select n from generate_series(1, 10000) n', [], 'live')
    await until('the lag', async () => (await api.get('/health/ready')).status === 503)
    const { reasons } = (await api.get('/health/ready')).body
    t.match(reasons, [/^the database is a standby and lags \d+ s: [\d.]+ MB are received and not replayed$/])
    t.ok((await status()).replayLagBytes > 100_000)
    const metrics = (await api.get('/metrics')).text
    t.match(metrics, /^headwater_standby 1$/m)
    t.match(metrics, /^headwater_replay_lag_seconds [1-9]/m)
    t.match(metrics, /^headwater_replay_lag_bytes [1-9]\d{5}/m)
    await standby.query('select pg_wal_replay_resume()')
    await until('the replay', async () => (await api.get('/health/ready')).status === 200)
  })

  t.test('a statement that the replay cancels is repeated once, if it was short', async (t) => {
    await primary.query('create table victims as select n from generate_series(1, 1000) n', [], 'live')
    await replayed()
    await standby.query(`alter system set max_standby_streaming_delay = '0'`)
    await standby.query('select pg_reload_conf()')
    const own = openPool({ connectionString: there, use: 'statements', max: 1 })
    t.teardown(() => own.end())
    await own.query('select 1')
    const count = (seconds: number) =>
      own.query(`select count(*)::int as n, max(s::text) from victims, (select pg_sleep(${seconds}) s) x`)
    const clear = async () => {
      await primary.query('delete from victims', [], 'live')
      // The lock for truncating the file would be a second conflict, which may cancel the second attempt.
      await primary.query('vacuum (truncate false) victims', [], 'live')
    }
    const fill = async () => {
      await primary.query('insert into victims select n from generate_series(1, 1000) n', [], 'live')
      await replayed()
    }
    // On a busy machine the statement may end before the replay cancels it, or the second attempt is cancelled, too.
    let seen: number | undefined
    for (let i = 0; i < 10 && seen !== 0; i++) {
      const short = count(0.7).catch((error) => {
        if (error.code !== '40001') throw error
      })
      await delay(100)
      await clear()
      seen = (await short)?.rows[0].n
      await fill()
    }
    t.equal(seen, 0, 'the second attempt sees the new rows')
    const long = count(30)
    const failed = t.rejects(long, { code: '40001' })
    await delay(1200)
    await clear()
    await failed
    const { rows } = await standby.query(
      `select confl_snapshot::int as n from pg_stat_database_conflicts where datname = 'live'`,
    )
    t.ok(rows[0].n >= 2, `${rows[0].n} conflicts`)
    await standby.query('alter system reset max_standby_streaming_delay')
    await standby.query('select pg_reload_conf()')
  })

  t.test('exports and the reader role work as on the primary', async (t) => {
    const folder = temporaryFolder(t)
    await replayed()
    const [here, copy] = await Promise.all(
      [url, there].map(async (from, i) => {
        const out = join(folder, `${i}.csv`)
        await exportView({ url: from, view: 'head.swaps', format: 'csv', out })
        return readFileSync(out)
      }),
    )
    t.ok(here !== undefined && here.length > 1000 && copy?.equals(here), `${here?.length} bytes`)
    const client = openClient({ connectionString: there, use: 'read' })
    await client.connect()
    await client.query('set role headwater_reader')
    const { rows } = await client.query(
      'select block_num::int as num from final.position union all select count(*) from head.candles',
    )
    t.equal(rows.length, 2)
    await client.end()
  })

  t.test('commands that write refuse a standby, and a missing migration must run on the primary', async (t) => {
    const refused = await indexExchange(there, 'wax', new ReplaySource(path), 90).catch((error: unknown) => error)
    t.match(databaseError(refused, {}), { code: 'DATABASE_READ_ONLY' })
    const files = await schemaFiles()
    const newer = { ...files, migrations: [...files.migrations, { name: '999_later.sql', sql: 'select 1' }] }
    await t.rejects(migrate(there, newer), {
      code: 'SCHEMA_OUTDATED',
      message: '1 migrations are missing on this standby',
    })
    const log = { info() {}, warn() {}, error() {} }
    const config = { database: there } as Config
    await (await openDatabase(config, log, 'statements')).close()
  })
}
