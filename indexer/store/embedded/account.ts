// The operating-system account of the embedded server. PostgreSQL refuses to run as root, so root runs it as another
// account; other users run it as themselves.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** Ids to start processes with; undefined: as the current user. */
export interface Account {
  uid: number
  gid: number
}

/** Accounts to try, in this order. `nobody` exists everywhere. */
const CANDIDATES = ['postgres', 'nobody']

/**
 * Chooses the account of a server whose files are, or will be, in `dataDirectory`.
 *
 * The owner of an existing data directory is used. Otherwise root uses the account `postgres`, which it creates if it
 * can, else `nobody`.
 */
export function serverAccount(dataDirectory: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = ownerOf(dataDirectory)
  if (owner !== undefined && owner.uid !== 0) return owner
  let account = lookUp(CANDIDATES[0] as string)
  if (account === undefined) {
    const options = ['--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
    spawnSync('useradd', [...options, 'postgres'], { stdio: 'ignore' })
    account = CANDIDATES.map(lookUp).find((found) => found !== undefined)
  }
  return account ?? { uid: 65534, gid: 65534 }
}

/** Whether the account may execute or enter a path. Runs `test -x` as the account. */
export function canReach(account: Account | undefined, path: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  )
}

function ownerOf(path: string): Account | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && { uid: found.uid, gid: found.gid }
}

function lookUp(name: string): Account | undefined {
  const id = (flag: string) => Number.parseInt(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout ?? '', 10)
  const account = { uid: id('-u'), gid: id('-g') }
  return account.uid > 0 && account.gid > 0 ? account : undefined
}
