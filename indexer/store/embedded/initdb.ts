// Creates the data directory of a new embedded server. Uses a temporary name until it is complete, so that a crash
// leaves no partial directory under the final name.
import { spawn } from 'node:child_process'
import { chownSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BugError, UserError } from '../../../core/errors.ts'
import type { Place } from './place.ts'

/**
 * Runs initdb and stores the superuser's password in `password` next to the data, readable only by the account.
 *
 * @throws UserError DISK_FULL; BugError EMBEDDED_INIT with initdb's message
 */
export async function initialise({ home, data, account }: Place, initdb: string, password: string): Promise<void> {
  const draft = `${data}.new`
  rmSync(draft, { recursive: true, force: true })
  const passwordFile = join(home, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=trust']
  const child = spawn(initdb, ['-D', draft, '--no-sync', '--data-checksums', ...locale, ...access], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      complaint += error.message
      resolve(null)
    })
    child.once('close', resolve)
  })
  if (code === 0) return renameSync(draft, data)
  rmSync(draft, { recursive: true, force: true })
  if (complaint.includes('No space left on device'))
    throw new UserError('DISK_FULL', `no space left for a database in ${home}`, { hint: 'free some space' })
  throw new BugError('EMBEDDED_INIT', `initdb failed: ${complaint.trim()}`)
}
