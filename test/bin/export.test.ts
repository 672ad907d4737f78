// `headwater export` and `headwater publish` as programs; export runs with a login of the reader role.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { run } from './program.ts'

const recording = new URL('../fixtures/recordings/small.ship.gz', import.meta.url).pathname

t.test('export and publish', async (t) => {
  const { url, pool } = await testDatabase(t)
  await indexRecording(url, 'wax', new ReplaySource(recording))
  const folder = await mkdtemp(join(tmpdir(), 'headwater-export-'))
  const role = `team_${process.pid}`
  await pool.query(`create role ${role} login password 'secret' in role headwater_reader`)
  t.teardown(async () => {
    await rm(folder, { recursive: true })
    const admin = new pg.Client(Object.assign(new URL(url), { pathname: '/postgres' }).href)
    await admin.connect()
    await admin.query(`drop role ${role}`)
    await admin.end()
  })
  const DATABASE_URL = Object.assign(new URL(url), { username: role, password: 'secret' }).href
  const { rows } = await pool.query('select count(*)::int4 as n from final.swaps')

  t.test('into a file, with a login of the reader', async (t) => {
    const out = join(folder, 'swaps.csv')
    const { code, stdout, stderr } = await run(['export', 'swaps', '--chain', 'wax', '--out', out], { DATABASE_URL })
    t.equal(code, 0, stderr)
    t.equal(stdout, `${out}: ${rows[0].n} rows\n`)
    t.equal((await readFile(out, 'utf8')).split('\r\n').length, rows[0].n + 2)
  })

  t.test('times without a zone are UTC, in any local time zone', async (t) => {
    const { rows: times } = await pool.query<{ at: Date }>('select max(block_time) as at from final.swaps')
    const at = times[0]!.at.toISOString()
    const [date, clock] = [at.slice(0, 10), at.slice(11, 23)]
    const later = new Date(times[0]!.at.getTime() + 2 * 3_600_000).toISOString().slice(0, 23)
    const { rows: last } = await pool.query('select count(*)::int4 as n from final.swaps where block_time >= $1', [at])
    const out = join(folder, 'late.csv')
    for (const from of [at, `${date}T${clock}`, `${date} ${clock}`, `${later}+02:00`]) {
      const args = ['export', 'swaps', '--chain', 'wax', '--from', from, '--out', out]
      const { stdout, stderr } = await run(args, { DATABASE_URL, TZ: 'America/New_York' })
      t.equal(stdout, `${out}: ${last[0].n} rows\n`, `${from} ${stderr}`)
    }
    for (const from of ['5', '1/2/2026', 'tomorrow', '2026-02-30T99:00']) {
      const { code, stderr } = await run(['export', 'swaps', '--from', from, '--out', out], { DATABASE_URL })
      t.equal(code, 2)
      t.match(stderr, '--from must be a time such as', from)
    }
  })

  t.test('into a folder of files, which the next export does not write again', async (t) => {
    const args = ['export', 'swaps', '--chain', 'wax', '--blocks-per-file', '50', '--out', join(folder, 'parts')]
    const position = await pool.query('select lib_num::int4 as lib from meta.position')
    const files = Math.floor((position.rows[0].lib + 1) / 50)
    t.ok(files > 1)
    const first = await run(args, { DATABASE_URL })
    const end = `the next block is ${files * 50}\n`
    t.match(first.stdout, new RegExp(`: ${files} files written with \\d+ rows, 0 were there; ${end}$`), first.stderr)
    const names = await readdir(join(folder, 'parts'))
    t.equal(names.filter((name) => name.endsWith('.parquet')).length, files)
    const second = await run(args, { DATABASE_URL })
    t.match(second.stdout, new RegExp(`: 0 files written with 0 rows, ${files} were there; ${end}$`), second.stderr)
  })

  t.test('invalid arguments are refused with a hint', async (t) => {
    const out = join(folder, 'x.csv')
    const outcomes = await Promise.all(
      [
        ['export', 'nothing', '--out', out],
        ['export', 'swaps', '--out', join(folder, 'no', 'x.csv')],
        ['export', 'swaps', '--blocks-per-file', '5', '--out', out],
        ['export', 'swaps', '--out', 'swaps.xlsx'],
      ].map((args) => run(args, { DATABASE_URL })),
    )
    t.same(
      outcomes.map(({ code }) => code),
      [1, 1, 2, 2],
    )
    for (const [index, expected] of [
      /UNKNOWN_VIEW: there is no view final\.nothing\n +hint: one of: .*swaps/,
      /EXPORT_PATH: .*\n +hint: make the folder first/,
      /--chain is needed/,
      /unknown format xlsx/,
    ].entries())
      t.match(outcomes[index]?.stderr, expected)
  })

  t.test('publish --once appends final rows', async (t) => {
    const { code, stderr } = await run(['publish', '--once'], { DATABASE_URL: url })
    t.equal(code, 0, stderr)
    const found = await pool.query('select count(*)::int4 as n from final_log.swaps')
    t.same(found.rows, rows)
  })
})
