// PgBouncer 1.18 of Debian in transaction mode, in front of a server. Uses the system's program, otherwise Debian's
// package, unpacked without root.
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Binaries, findPackage, freePort, type Missing, newHome, untilReady } from './debian-server.ts'

const PROGRAM = {
  name: 'pgbouncer',
  folder: 'usr/sbin',
  program: 'pgbouncer',
  /** Ignored by git. */
  target: join(import.meta.dirname, '../../.headwater/pgbouncer'),
}
/** Set by the test runner after a search without result, so that no test searches again. */
export const NO_PGBOUNCER_VARIABLE = 'HEADWATER_TEST_PGBOUNCER_MISSING'
/** Runs a program until standard input closes, which happens when the parent ends, even by SIGKILL. */
const UNTIL_STDIN_CLOSES = `exec 3<&0; "$0" "$@" </dev/null 3<&- & server=$!
(read -r _ <&3; kill -INT $server) & reader=$!
wait $server; kill $reader 2>/dev/null`
/** Sessions of the server for each login and database: fewer than an API has connections. */
const SESSIONS = 3

export interface Pooler {
  port: number
  stop(): void
}

/** Never throws: returns the reason. */
export function findPgBouncer(): Promise<Binaries | Missing> {
  return findPackage(PROGRAM, process.env[NO_PGBOUNCER_VARIABLE])
}

/**
 * @param port    of the PostgreSQL server on this machine
 * @param logins  names and passwords
 * @param extra   a line of its settings
 */
export async function startPgBouncer(
  port: number,
  logins: Readonly<Record<string, string>>,
  extra = '',
): Promise<Pooler | Missing> {
  const binaries = await findPgBouncer()
  if ('missing' in binaries) return binaries
  const place = newHome(binaries, 'headwater-pgbouncer-')
  if ('missing' in place) return place
  const users = Object.entries(logins).map(([name, password]) => `"${name}" "${password}"\n`)
  const userlist = place.owned('users.txt', users.join(''), 0o600)
  const own = await freePort()
  const settings = place.owned(
    'pgbouncer.ini',
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
pool_mode = transaction
default_pool_size = ${SESSIONS}
auth_type = scram-sha-256
auth_file = ${userlist}
${extra}
`,
    0o600,
  )
  const child: ChildProcess = spawn('/bin/sh', ['-c', UNTIL_STDIN_CLOSES, place.program('pgbouncer'), '-q', settings], {
    ...place.account,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  const [[name, password] = []] = Object.entries(logins)
  await untilReady(`postgresql://${name}:${password}@127.0.0.1:${own}/postgres`, async () => {})
  return {
    port: own,
    stop() {
      child.stdin?.end()
      rmSync(place.dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
