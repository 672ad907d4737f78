// `headwater compare` as a program: its exit codes, and that it changes nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { DatabaseSide } from '../../api/exchange/digests/database-side.ts'
import type { Summary } from '../../core/compare/side.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { run } from './program.ts'

const recording = new URL('../fixtures/recordings/small.ship.gz', import.meta.url).pathname
const { url, pool } = await testDatabase(t)
await indexRecording(url, 'wax', new ReplaySource(recording), 60)
await pool.query('update meta.position set indexed = true')
const side = new DatabaseSide(pool, 'wax', 'served')

/** Members that the answers of another instance change, by the first folder of its address. */
const CHANGES: Record<string, Partial<Summary>> = {
  same: {},
  contracts: { contracts: ['amm another'] },
  later: { firstBlock: 1e6, lastBlock: 2e6 },
}
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const [, folder = '', ...path] = pathname.split('/')
  const range = { from: Number(searchParams.get('from')), to: Number(searchParams.get('to')) }
  const answer =
    path.at(-1) === 'ranges' ? side.digests(range) : side.summary().then((found) => ({ ...found, ...CHANGES[folder] }))
  void answer.then((body) => response.end(JSON.stringify(body)))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => new Promise((resolve) => server.close(resolve)))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

t.test('exit codes, with a login that only reads', async (t) => {
  const role = `comparing_${process.pid}`
  await pool.query(`create role ${role} login password 'secret' in role headwater_api`)
  t.teardown(async () => {
    const admin = new pg.Client(Object.assign(new URL(url), { pathname: '/postgres' }).href)
    await admin.connect()
    await admin.query(`drop role ${role}`)
    await admin.end()
  })
  const DATABASE_URL = Object.assign(new URL(url), { username: role, password: 'secret' }).href
  const compare = (folder: string) => run(['compare', `${address}/${folder}`, '--chain', 'wax'], { DATABASE_URL })
  const [same, contracts, later] = await Promise.all(['same', 'contracts', 'later'].map(compare))
  t.match(same, { code: 0, stderr: '', stdout: /tables, \d questions\nno difference\n$/ })
  t.match(contracts, {
    code: 3,
    stderr: '',
    stdout: /only the blocks are compared\n.*\nno difference in these tables\n$/,
  })
  t.match(later, { code: 3, stderr: '', stdout: /no final blocks in common\nnothing was compared\n$/ })
})

t.test('an outdated schema is not migrated', async (t) => {
  await pool.query(`update headwater_migrations set checksum = 'other' where name = 'code'`)
  const outcome = await run(['compare', `${address}/same`, '--chain', 'wax'], { DATABASE_URL: url })
  t.match(outcome, {
    code: 1,
    stdout: '',
    stderr: /^SCHEMA_OUTDATED: functions and views are outdated in this database\n/,
  })
  const { rows } = await pool.query(`select checksum from headwater_migrations where name = 'code'`)
  t.same(rows, [{ checksum: 'other' }])
})
