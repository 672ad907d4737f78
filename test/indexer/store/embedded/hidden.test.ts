// Finding a server whose process cannot be examined, as from a service that systemd isolates, and from outside of it.
// Removing the pid file of a living server would start a second one on the same data.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { removeEmptyPidFile } from '../../../../indexer/store/embedded/postmaster.ts'
import { processKey } from '../../../../indexer/store/embedded/process.ts'
import { childModule } from '../../../support/child-module.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

/** Commands that run another one where it sees the test's processes in another way. */
const PLACES = {
  'as usual': [],
  'in another user namespace': ['unshare', '--user', '--map-root-user'],
  'where processes are hidden': [
    ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'],
    ...['mount -t tmpfs none /proc && exec "$0" "$@"'],
  ],
}
const NONE = 2 ** 22 + 1

/** A process that stands for the server: its working directory is the data directory. */
async function startServer(t: Test, cwd: string): Promise<ChildProcess & { pid: number }> {
  const child = spawn('sleep', ['600'], { cwd, stdio: 'ignore' })
  await once(child, 'spawn')
  t.teardown(() => child.kill())
  return child as ChildProcess & { pid: number }
}

function dataFolder(t: Test): string {
  const folder = temporaryFolder(t)
  return folder
}

function examine(place: readonly string[], data: string, key: string): { pid: number | null; isAlive: boolean } {
  const { file, execArgv } = childModule('examine.ts', import.meta.url)
  const [command = '', ...args] = [...place, process.execPath, ...execArgv, file, data, key]
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

/** Why this machine makes no user namespaces; false when it does. */
function noNamespaces(): string | false {
  try {
    execFileSync('unshare', ['--user', '--map-root-user', '--mount', 'true'], { stdio: 'pipe' })
    return false
  } catch (error) {
    return `not run, ${(error as Error).message}`
  }
}

const skipped = noNamespaces()
for (const [name, place] of Object.entries(PLACES)) {
  t.test(`a running server is found ${name}`, { skip: place.length > 0 && skipped }, async (t) => {
    const data = dataFolder(t)
    const { pid } = await startServer(t, data)
    writeFileSync(join(data, 'postmaster.pid'), `${pid}\n${data}\n0\n5432\n`)
    t.same(examine(place, data, processKey(pid)), { pid, isAlive: true })
    t.ok(existsSync(join(data, 'postmaster.pid')), 'its file stays')
  })

  t.test(`a process that has ended is none ${name}`, { skip: place.length > 0 && skipped }, async (t) => {
    const data = dataFolder(t)
    writeFileSync(join(data, 'postmaster.pid'), `${NONE}\n${data}\n0\n5432\n`)
    t.same(examine(place, data, `${NONE}-1`), { pid: null, isAlive: false })
  })
}

t.test('an empty pid file is no server', async (t) => {
  const data = dataFolder(t)
  for (const text of ['', '\n', '0\n', '-17\n']) {
    writeFileSync(join(data, 'postmaster.pid'), text)
    t.match(examine([], data, '0-0'), { pid: null, isAlive: false }, JSON.stringify(text))
  }
  writeFileSync(join(data, 'postmaster.pid'), '')
  removeEmptyPidFile(data)
  t.notOk(existsSync(join(data, 'postmaster.pid')))
})

t.test('another process with the id of a server that has ended is not the server', async (t) => {
  const data = dataFolder(t)
  const { pid } = await startServer(t, tmpdir())
  writeFileSync(join(data, 'postmaster.pid'), `${pid}\n${data}\n0\n5432\n`)
  t.same(examine([], data, `${pid}-1`), { pid: null, isAlive: false })
  t.notOk(existsSync(join(data, 'postmaster.pid')), 'its stale file is removed')
})
