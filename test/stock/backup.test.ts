// A logical backup as docs/operate/backup.md makes it: dumped from one server while it is indexed, restored on another,
// verified, and indexed further.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t, { type Test } from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { verifyChain } from '../../indexer/verify/verify.ts'
import { migrate } from '../../migrations/migrate.ts'
import { indexExchange } from '../indexer/replay/index-recording.ts'
import type { Binaries } from '../support/debian-server.ts'
import { findStockServer, REQUIRED_VARIABLE, type StockServer, startStockServer } from '../support/stock-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const path = new URL('../fixtures/recordings/forks.ship.gz', import.meta.url).pathname
/** Last block of the first server. */
const HALF = 200

const binaries = await findStockServer()
const servers = [await startStockServer(), await startStockServer()]
for (const server of servers) if ('stop' in server) t.teardown(() => server.stop())
const [first, second] = servers as [StockServer, StockServer]
if ('missing' in binaries || 'missing' in first || 'missing' in second) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail('no server of Debian')
  else t.comment('not run: no server of Debian')
} else t.test('a database that is dumped and restored continues', (t) => restores(t, binaries))

async function restores(t: Test, { folder, libraries }: Binaries): Promise<void> {
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(join(folder, program), args, {
      env: { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries.join(delimiter) },
      maxBuffer: 2 ** 26,
    })
  await migrate(first.url)
  await indexExchange(first.url, 'wax', new ReplaySource(path), HALF)
  const before = await verifyChain(first.url, 'wax')
  const out = temporaryFolder(t)
  const [roles, dump] = [join(out, 'roles.sql'), join(out, 'headwater.dump')]
  await run('pg_dumpall', '--roles-only', '--no-role-passwords', '-d', first.adminUrl, '-f', roles)
  await run('pg_dump', '--format=custom', '-f', dump, first.url)

  const admin = new pg.Client(second.adminUrl)
  await admin.connect()
  t.teardown(() => admin.end())
  // Roles of the server itself are there already.
  for (const statement of readFileSync(roles, 'utf8')
    .split('\n')
    .filter((line) => /headwater_/.test(line)))
    await admin.query(statement)
  await run('pg_restore', '--exit-on-error', '-d', second.url, dump)

  const after = await verifyChain(second.url, 'wax')
  t.same([after.ok, after.block, after.digest], [true, before.block, before.digest])
  t.same(await migrate(second.url), [], 'the schema is that of the program')
  const databases = [first.url, second.url]
  for (const url of databases) await indexExchange(url, 'wax', new ReplaySource(path))
  const [one, other] = await Promise.all(databases.map((url) => verifyChain(url, 'wax')))
  t.ok((other?.block ?? 0) > HALF)
  t.same([other?.ok, other?.block, other?.digest], [true, one?.block, one?.digest], 'both go on to the same')
}
