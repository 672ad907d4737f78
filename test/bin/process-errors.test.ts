// Errors that nothing waits for, and a full disk: which end the program, how, and with what advice.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { reportFailure } from '../../bin/cli/failure.ts'
import { BugError, RetryableError } from '../../core/errors.ts'
import type { Place } from '../../indexer/store/embedded/place.ts'
import { startFailure } from '../../indexer/store/embedded/postmaster.ts'
import { childModule } from '../support/child-module.ts'

const { file, execArgv } = childModule('./stray-error.ts', import.meta.url)

/** Runs a process with an error that nothing waits for. */
async function outcomeOf(kind: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...execArgv, file, kind], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

t.test('an error that passes is logged, and the process goes on', async (t) => {
  for (const kind of ['lost connection', 'connection refused', 'server shuts down', 'too many clients']) {
    const { code, stdout, stderr } = await outcomeOf(kind)
    t.same([code, stdout], [0, 'goes on\n'], kind)
    t.match(stderr, /an error that nothing waited for, and that passes/, kind)
  }
})

t.test('any other error ends the process: 70 for a bug, with its stack, and 1 for what a user can fix', async (t) => {
  for (const [kind, expected, message] of [
    ['type error', 70, /^TypeError: nothing is not a function\n {4}at /],
    ['missing file', 70, /^Error: ENOENT/],
    ['full disk', 1, /^DISK_FULL: no disk space left for \/some\/file: .*\n {2}hint: free some space/],
    ['user error', 1, /^WRONG: text\n {2}hint: advice\n$/],
  ] as const) {
    const { code, stdout, stderr } = await outcomeOf(kind)
    t.same([code, stdout], [expected, ''], kind)
    t.match(stderr, message, kind)
  }
})

t.test('a command that a node or a database stops ends with 1, and says what to do', async (t) => {
  const written = t.capture(process.stderr, 'write', () => true)
  t.equal(reportFailure(new RetryableError('SHIP_CONNECTION', 'no answer', { hint: 'is the node running?' })), 1)
  t.same(written()[0]?.args, ['SHIP_CONNECTION: no answer\n  hint: is the node running?\n'])
  t.equal(reportFailure(new BugError('WRONG', 'text')), 70)
})

t.test('an error of PostgreSQL that may pass is no bug', async (t) => {
  const written = t.capture(process.stderr, 'write', () => true)
  const ofServer = (code: string, message: string) => Object.assign(new Error(message), { code, severity: 'FATAL' })
  t.equal(reportFailure(ofServer('57P01', 'terminating connection due to administrator command')), 1)
  t.match(
    written()[0]?.args[0],
    /^DATABASE_UNAVAILABLE: PostgreSQL: terminating connection due to administrator command\n {2}hint: is PostgreSQL running/,
  )
  t.equal(reportFailure(ofServer('42P01', 'relation "x" does not exist')), 70)
})

t.test('a full disk of the embedded server is named', async (t) => {
  const place: Place = { home: '/home', data: '/home/data', sockets: '/run', account: undefined }
  const full = 'FATAL:  could not write lock file "postmaster.pid": No space left on device\n'
  t.match(startFailure(place, full), { code: 'DISK_FULL', message: /no space left on \/home\/data/ })
  t.match(startFailure(place, 'FATAL:  other'), { code: 'EMBEDDED_START', message: /FATAL: {2}other/ })
})
