// The embedded PostgreSQL through the life of its processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import t from 'tap'
import { startEmbeddedPostgres } from '../../../../indexer/store/embedded/server.ts'
import { childModule } from '../../../support/child-module.ts'
import { until } from '../../../support/until.ts'

interface Test {
  teardown(work: () => unknown): void
}

interface User {
  url: string
  tcpUrl: string
  directory: string
  adopted: boolean
  log: string[]
  child: ChildProcess
  leave(): Promise<void>
}

function dataFolder(t: Test, mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-embedded-'))
  chmodSync(folder, mode)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a process that uses the server of a folder. */
async function startUser(dataDir: string, ...more: string[]): Promise<User> {
  const { file, execArgv } = childModule('user.ts', import.meta.url)
  const child = spawn(process.execPath, [...execArgv, file, dataDir, ...more], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const leave = async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  }
  return { ...JSON.parse(line), child, leave }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function serverPid(directory: string): number {
  return Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
}

const isRunning = (url: string) =>
  query(url, 'select 1').then(
    () => true,
    () => false,
  )

t.test('a first start makes a durable server that both addresses reach', async (t) => {
  const dataDir = dataFolder(t)
  const server = await startEmbeddedPostgres({ dataDir })
  t.teardown(() => server.stop())
  t.equal(server.adopted, false)
  const settings = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
    current_setting('data_checksums') as checksums, current_setting('TimeZone') as zone, current_setting('jit') as jit,
    current_database() as database, version() as version`
  for (const url of [server.url, server.tcpUrl]) {
    const [row] = await query(url, settings)
    t.match(row, {
      fsync: 'on',
      commit: 'on',
      checksums: 'on',
      zone: 'UTC',
      jit: 'off',
      database: 'headwater',
      version: /^PostgreSQL 18/,
    })
  }
  const home = join(server.directory, '..')
  t.equal(statSync(join(home, 'password')).mode & 0o777, 0o600)
  t.equal(statSync(home).mode & 0o077, 0, 'nobody else enters its home')
  await t.rejects(query(server.tcpUrl.replace(/:[^:@]+@/, ':wrong@'), 'select 1'), { code: '28P01' })
})

t.test('processes share a server; the last one to leave stops it', async (t) => {
  const dataDir = dataFolder(t)
  const first = await startUser(dataDir)
  const second = await startUser(dataDir)
  t.same([first.adopted, second.adopted, first.url === second.url], [false, true, true])
  await first.leave()
  t.ok(await isRunning(second.url), 'it goes on without the process that started it')
  await second.leave()
  t.notOk(await isRunning(second.url))
})

t.test('a killed process leaves a server that the next one adopts and stops', async (t) => {
  const dataDir = dataFolder(t)
  const killed = await startUser(dataDir)
  await query(killed.url, 'create table kept as select 42 as n')
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  t.ok(await isRunning(killed.url))
  const next = await startUser(dataDir)
  t.equal(next.adopted, true)
  t.same(await query(next.tcpUrl, 'select n from kept'), [{ n: 42 }])
  await next.leave()
  t.notOk(await isRunning(next.url))
})

t.test('an attached server ends with a killed process, and its data stays', async (t) => {
  const dataDir = dataFolder(t)
  const killed = await startUser(dataDir, 'attached')
  await query(killed.url, 'create table kept as select 42 as n')
  killed.child.kill('SIGKILL')
  await until('the server has ended', async () => !(await isRunning(killed.url)), 50)
  t.notOk(await isRunning(killed.url))
  const next = await startUser(dataDir, 'attached')
  t.equal(next.adopted, false)
  t.same(await query(next.url, 'select n from kept'), [{ n: 42 }])
  await next.leave()
})

t.test('a killed server is started again with everything that was committed', async (t) => {
  const dataDir = dataFolder(t)
  const user = await startUser(dataDir)
  await query(user.url, 'create table kept as select 42 as n')
  const before = serverPid(user.directory)
  process.kill(before, 'SIGKILL')
  await until('the server runs again', () => isRunning(user.url), 50)
  t.same(await query(user.url, 'select n from kept'), [{ n: 42 }])
  t.not(serverPid(user.directory), before)
  await user.leave()
  t.notOk(await isRunning(user.url))
})

t.test('a restart after both were killed finds the data, also when the id in the file is taken', async (t) => {
  const dataDir = dataFolder(t)
  const killed = await startUser(dataDir)
  await query(killed.url, 'create table kept as select 42 as n')
  const pid = serverPid(killed.directory)
  killed.child.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  await once(killed.child, 'exit')
  const file = join(killed.directory, 'postmaster.pid')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)))
  const next = await startUser(dataDir)
  t.equal(next.adopted, false)
  t.same(await query(next.url, 'select n from kept'), [{ n: 42 }])
  await next.leave()
})

t.test('two processes that start at once share one server', async (t) => {
  const dataDir = dataFolder(t)
  const users = await Promise.all([startUser(dataDir), startUser(dataDir)])
  t.same(users.map(({ adopted }) => adopted).sort(), [false, true])
  t.equal(users[0]!.url, users[1]!.url)
  for (const user of users) await user.leave()
})

t.test('a half-made data directory is made again', async (t) => {
  const dataDir = dataFolder(t)
  mkdirSync(join(dataDir, 'postgres/data.new/base'), { recursive: true })
  const server = await startEmbeddedPostgres({ dataDir })
  t.ok(await isRunning(server.url))
  await server.stop()
})

t.test('a start that fails says why', async (t) => {
  const dataDir = dataFolder(t)
  const server = await startEmbeddedPostgres({ dataDir })
  await server.stop()
  writeFileSync(join(server.directory, 'custom.conf'), 'shared_buffers = lots\n', { mode: 0o644 })
  await t.rejects(startEmbeddedPostgres({ dataDir }), { code: 'EMBEDDED_START', message: /shared_buffers/ })
})

t.test('below a folder that only root may enter', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const dataDir = dataFolder(t, 0o700)
  const user = await startUser(dataDir)
  t.teardown(() => rmSync(join(user.directory, '..'), { recursive: true, force: true }))
  t.notOk(user.directory.startsWith(dataDir), 'the data is elsewhere')
  t.ok(
    user.log.some((line) => line.includes(join(user.directory, '..'))),
    'and the log says where',
  )
  await query(user.url, 'create table kept as select 42 as n')
  t.not(statSync(user.directory).uid, 0)
  await user.leave()
  const again = await startUser(dataDir)
  t.same(await query(again.url, 'select n from kept'), [{ n: 42 }], 'a restart finds it')
  await again.leave()
})
