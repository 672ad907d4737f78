// Starts, stops and finds one PostgreSQL server process. The server's file `postmaster.pid` in its data directory
// identifies it, also after a crash of this program.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BugError, RetryableError, UserError } from '../../../core/errors.ts'
import type { Place } from './place.ts'
import { isAlive, isOfSameUser } from './process.ts'

/** Limit of the log's size, bytes: a larger log is renamed at the next start. */
const LOG_LIMIT = 16 * 2 ** 20

/**
 * Runs a server until standard input closes, which happens when the parent ends, even by SIGKILL. Then removes the
 * folder of the second argument, if given.
 */
const UNTIL_STDIN_CLOSES = [
  'exec 3<&0; "$0" -D "$1" </dev/null 3<&- & server=$!',
  '(read -r _ <&3; kill -INT $server) & reader=$!',
  'wait $server && { [ -z "$2" ] || rm -rf "$2"; }; kill $reader 2>/dev/null',
].join('\n')

/** The first lines of postmaster.pid. */
export interface PidFile {
  pid: number
  port: number
}

/** The server that runs on this data directory, or undefined. Removes a stale pid file whose id another process has. */
export function runningServer(data: string): PidFile | undefined {
  const path = join(data, 'postmaster.pid')
  let lines: string[]
  try {
    lines = readFileSync(path, 'latin1').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  // Empty: written just before the machine lost power.
  if (!(pid > 0)) return undefined
  if (isAlive(pid) && isServerOf(pid, data)) return { pid, port: Number(lines[3]) }
  // Another process has the stale id. PostgreSQL would refuse to start.
  if (isAlive(pid)) rmSync(path)
  return undefined
}

/**
 * Compares the process's working directory with the data directory. Without /proc, trusts the file. A process of the
 * same user that cannot be examined counts as the server, because two servers on one directory destroy it: systemd
 * hides processes from a service (ProtectProc), and a service with its own user namespace from others (PrivateUsers).
 */
function isServerOf(pid: number, data: string): boolean {
  if (process.platform !== 'linux') return true
  const here = statSync(data)
  try {
    const there = statSync(`/proc/${pid}/cwd`)
    return there.ino === here.ino && there.dev === here.dev
  } catch {
    const owner = ownerOf(pid)
    return owner === undefined ? isOfSameUser(pid) : owner === here.uid
  }
}

/** User of a process; undefined when it is hidden. */
function ownerOf(pid: number): number | undefined {
  try {
    return statSync(`/proc/${pid}`).uid
  } catch {
    return undefined
  }
}

/** Removes a pid file without an id, with which PostgreSQL would not start. Call it when no server is being started. */
export function removeEmptyPidFile(data: string): void {
  const path = join(data, 'postmaster.pid')
  if (existsSync(path) && !readFileSync(path, 'latin1').trim()) rmSync(path)
}

/** Whether the server outlives this process or ends with it, even if it is killed. */
export type Lifetime = 'detached' | 'attached' | 'attached, home removed'

/** Starts a server in the background. */
export function spawnServer(postgres: string, place: Place, lifetime: Lifetime): ChildProcess {
  const { account, data, home } = place
  const log = openLog(join(home, 'server.log'))
  try {
    if (lifetime === 'detached')
      return spawn(postgres, ['-D', data], { ...account, cwd: '/', detached: true, stdio: ['ignore', log, log] })
    const options = { ...account, cwd: '/', detached: true }
    const removed = lifetime === 'attached' ? '' : home
    return spawn('/bin/sh', ['-c', UNTIL_STDIN_CLOSES, postgres, data, removed], {
      ...options,
      stdio: ['pipe', log, log],
    })
  } finally {
    closeSync(log)
  }
}

function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

/** Stops a server by a `fast` shutdown (ends sessions, writes a checkpoint); by an immediate one after 8 s. */
export async function stopServer(pid: number): Promise<void> {
  const phases: [NodeJS.Signals, number][] = [
    ['SIGINT', 8_000],
    ['SIGQUIT', 2_000],
  ]
  for (const [signal, timeoutMs] of phases) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    const deadline = Date.now() + timeoutMs
    while (isAlive(pid) && Date.now() < deadline) await sleep(10)
  }
  if (isAlive(pid)) throw new RetryableError('EMBEDDED_STOP', `PostgreSQL (process ${pid}) does not stop`)
}

/** A coded error with the last lines of the log of a server that did not start. */
export function startFailure(place: Place, log: string): Error {
  const path = join(place.home, 'server.log')
  const cause = log.trim().split('\n').slice(-4).join('\n')
  if (log.includes('No space left on device'))
    return new UserError('DISK_FULL', `PostgreSQL cannot start: no space left on ${place.data}`, {
      hint: 'free some space',
    })
  if (log.includes('not compatible with this version') || log.includes('was initialized by PostgreSQL version'))
    return new UserError('EMBEDDED_VERSION', `${place.data} was written by another version of PostgreSQL`, {
      hint: 'dump it with that version, or set HEADWATER_DATA to a new folder and index again',
    })
  return new BugError('EMBEDDED_START', `PostgreSQL did not start:\n${cause}`, { hint: `the whole log is ${path}` })
}
