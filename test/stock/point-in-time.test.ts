// Recovery to a moment with pgBackRest, by the commands of docs/operate/backup.md on a cluster of Debian's PostgreSQL: rows
// that a person deletes after the moment are there again, and the indexer continues. In long runs only, as root, where both
// packages are installed: it makes a cluster of its own and removes it.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { verifyChain } from '../../indexer/verify/verify.ts'
import { migrate } from '../../migrations/migrate.ts'
import { indexExchange } from '../indexer/replay/index-recording.ts'
import { freePort } from '../support/debian-server.ts'

const RECORDING = new URL('../fixtures/recordings/forks.ship.gz', import.meta.url).pathname
const PAGE = new URL('../../docs/operate/backup.md', import.meta.url)
const VERSION = '15'
const CLUSTER = `headwater${process.pid}`
/** Last blocks of the steps: before the backup, and at the moment. */
const [FIRST, MOMENT] = [150, 250]

const problem = !process.env.HEADWATER_TEST_LONG
  ? 'in test:long'
  : process.getuid?.() !== 0
    ? 'needs root'
    : ['/usr/bin/pgbackrest', '/usr/bin/pg_createcluster', `/usr/lib/postgresql/${VERSION}/bin/postgres`].find(
        (path) => !existsSync(path),
      )

/** Blocks of commands of the page's section, with paths of this test. */
function blocksOf(folder: string): string[] {
  const section = readFileSync(PAGE, 'utf8').split('\n## To any moment')[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^```sh\n((?:.*\n)+?)^```$/gm)].map(([, text = '']) =>
    text
      .replace(/^apt-get .*\n/m, '')
      .replaceAll('/etc/pgbackrest.conf', join(folder, 'pgbackrest.conf'))
      .replaceAll('/var/lib/pgbackrest', join(folder, 'repository'))
      .replaceAll(`/${VERSION}/main`, `/${VERSION}/${CLUSTER}`),
  )
}

/** A cluster with a login of Headwater's, and a shell in which the page's commands run. */
async function clusterOf(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-moment-'))
  chmodSync(folder, 0o755)
  const port = String(await freePort())
  // The only unit here is the cluster.
  const systemctl = `#!/bin/sh\nexec pg_ctlcluster ${VERSION} ${CLUSTER} "$1"\n`
  writeFileSync(join(folder, 'systemctl'), systemctl, { mode: 0o755 })
  const settings = {
    PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
    PGBACKREST_LOG_PATH: join(folder, 'log'),
    PGBACKREST_LOCK_PATH: join(folder, 'lock'),
    PGBACKREST_PG1_PORT: port,
  }
  const env = { PATH: `${folder}:${process.env.PATH}`, LC_ALL: 'C.UTF-8', PGPORT: port, ...settings }
  const sh = (text: string) => execFileSync('/bin/sh', ['-ec', text], { env, cwd: '/', encoding: 'utf8' })
  t.teardown(() => {
    sh(`pg_dropcluster --stop ${VERSION} ${CLUSTER}`)
    rmSync(folder, { recursive: true, force: true })
  })
  sh(`pg_createcluster ${VERSION} ${CLUSTER} --port ${port}`)
  // What the server's own commands see.
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  writeFileSync(`/etc/postgresql/${VERSION}/${CLUSTER}/environment`, lines.join(''))
  sh(`cd ${folder} && mkdir repository log lock && chown postgres repository log lock`)
  sh(`pg_ctlcluster ${VERSION} ${CLUSTER} start`)
  const make = `-c "create role headwater login superuser password 'one'" -c "create database headwater owner headwater"`
  sh(`su postgres -c ${JSON.stringify(`psql -q ${make}`)}`)
  return { url: `postgresql://headwater:one@127.0.0.1:${port}/headwater`, folder, sh }
}

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

t.test('a database is restored to a moment before a mistake, and continues', { skip: problem ?? false }, async (t) => {
  const { url, folder, sh } = await clusterOf(t)
  const [archive = '', backup = '', restore = ''] = blocksOf(folder)
  await migrate(url)
  await indexExchange(url, 'wax', new ReplaySource(RECORDING), FIRST)
  sh(archive)
  t.match(sh(backup), /stanza: headwater\n +status: ok/)

  await indexExchange(url, 'wax', new ReplaySource(RECORDING), MOMENT)
  const then = await verifyChain(url, 'wax')
  const [{ moment = '' } = {}] = await ask<{ moment: string }>(
    url,
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as moment`,
  )
  await indexExchange(url, 'wax', new ReplaySource(RECORDING))
  const end = await verifyChain(url, 'wax')
  t.ok(end.ok && (end.block ?? 0) > MOMENT)
  await ask(url, 'delete from ledger.swaps')
  t.equal((await verifyChain(url, 'wax')).ok, false, 'the mistake')

  t.ok(restore.includes('2026-11-26 12:00:00+00'))
  sh(restore.replace('2026-11-26 12:00:00+00', moment))
  const restored = await verifyChain(url, 'wax')
  t.same([restored.ok, restored.block, restored.digest], [true, then.block, then.digest], 'as of the moment')
  await indexExchange(url, 'wax', new ReplaySource(RECORDING))
  const after = await verifyChain(url, 'wax')
  t.same([after.ok, after.block, after.digest], [true, end.block, end.digest], 'it continues to the same end')
  t.match(sh(backup), /status: ok/, 'and is backed up again')
})
