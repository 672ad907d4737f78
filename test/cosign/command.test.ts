// The command in separate processes, with a login that has only the cosigner's rights.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PrivateKey } from '@wharfkit/antelope'
import pg from 'pg'
import t, { type Test } from 'tap'
import { run, start } from '../bin/program.ts'
import { testDatabase } from '../support/database.ts'
import { databaseClock } from '../support/database-clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { keyFile, postTo } from './service.ts'
import { unique } from './transactions.ts'

async function logged(output: { stderr: string }, message: string): Promise<{ url: string }> {
  const line = () => output.stderr.split('\n').find((text) => text.includes(`"msg":"${message}"`))
  await until(
    () => `a line ${message} in ${output.stderr}`,
    () => line() !== undefined,
    50,
  )
  return JSON.parse(line() ?? '')
}

function emptyFolder(t: Test): string {
  const folder = temporaryFolder(t)
  return folder
}

/** Ids of the child processes that the threads of a process have started. */
function childrenOf(pid: number | undefined): string {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')).join('')
}

t.test('two cosigners share counters and the switch, and keep the key to themselves', async (t) => {
  const database = await testDatabase(t)
  // The limit counts one hour, which must not end during the test.
  await databaseClock(database)
  const { url, pool } = database
  const login = `cosigner_${process.pid}`
  await pool.query(`create role ${login} login in role headwater_cosigner`)
  t.teardown(async () => {
    const admin = new pg.Client(Object.assign(new URL(url), { pathname: '/postgres' }).href)
    await admin.connect()
    await admin.query(`drop role ${login}`).finally(() => admin.end())
  })
  const key = PrivateKey.generate('K1')
  const env = {
    DATABASE_URL: Object.assign(new URL(url), { username: login }).href,
    HEADWATER_COSIGN_KEY_FILE: keyFile(t, String(key)),
    HEADWATER_COSIGN_PORT: '0',
    HEADWATER_COSIGN_ACCOUNT_HOUR: '3',
    // Empty, as in a service: without compiled modules from earlier runs.
    TMPDIR: emptyFolder(t),
  }
  const processes = [start(['cosign'], env), start(['cosign'], env)]
  t.teardown(() => {
    for (const { child } of processes) child.kill('SIGKILL')
  })
  const urls = await Promise.all(processes.map(async ({ output }) => (await logged(output, 'cosigns')).url))
  const sign = (i: number) =>
    postTo(`${urls[i % 2]}/api/v2/cpu/cosign`, JSON.stringify({ serializedTransaction: unique() }))
  const walk = async () => {
    const statuses = (await Promise.all(Array.from({ length: 8 }, (_, i) => sign(i)))).map(({ status }) => status)
    const off = await run(['cosign', '--off'], env)
    // Each process caches for a second that a limit was reached, and has just reported it.
    await sleep(1100)
    const whileOff = [(await sign(0)).status, (await sign(1)).status]
    const on = await run(['cosign', '--on'], env)
    return { statuses: statuses.sort(), off, whileOff, on: on.code, after: (await sign(0)).body }
  }
  const hour = async () => (await pool.query(`select date_trunc('hour', now())::text as hour`)).rows[0].hour
  // Counters begin again with each hour of the database's clock: the walk is repeated if the hour ends during it.
  const [begun, first] = [await hour(), await walk()]
  const isOneHour = (await hour()) === begun
  if (!isOneHour) await pool.query('delete from cosign.counters')
  const { statuses, off, whileOff, on, after } = isOneHour ? first : await walk()
  t.same(statuses, [201, 201, 201, 400, 400, 400, 400, 400])
  t.same([off.code, off.stdout], [0, 'wax: cosigning is switched off\n'], off.stderr)
  t.same(whileOff, [503, 503])
  t.equal(on, 0)
  t.match(after, { error: 'Hourly account limit exceeded' })

  if (process.platform === 'linux') t.equal(childrenOf(processes[0]?.child.pid), '', 'no compiler runs next to the key')
  for (const { child } of processes) child.kill('SIGTERM')
  const ended = await Promise.all(processes.map(({ outcome }) => outcome))
  t.same(
    ended.map(({ code }) => code),
    [0, 0],
  )
  const said = ended.map(({ stdout, stderr }) => stdout + stderr).join('\n') + off.stdout + off.stderr
  for (const text of [String(key), key.toWif(), Buffer.from(key.data.array).toString('hex')]) t.notMatch(said, text)

  const refused = await run(['cosign'], { ...env, HEADWATER_COSIGN_KEY_FILE: keyFile(t, String(key), 0o644) })
  t.equal(refused.code, 1)
  t.match(refused.stderr, /^COSIGN_KEY_PERMISSIONS/)
  t.notMatch(refused.stderr, String(key))
})

t.test('a pipe in place of the key file is refused at once', async (t) => {
  const { url } = await testDatabase(t)
  const folder = temporaryFolder(t)
  const pipe = join(folder, 'payer.key')
  execFileSync('mkfifo', ['-m', '600', pipe])
  const { child, outcome } = start(['cosign'], { DATABASE_URL: url, HEADWATER_COSIGN_KEY_FILE: pipe })
  // Only a process that waits for a writer still runs then.
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
  const { code, stderr } = await outcome
  clearTimeout(timer)
  t.equal(code, 1)
  t.match(stderr, /^COSIGN_KEY_FILE.*is not a file with a key/)
})
