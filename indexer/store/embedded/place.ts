// Paths of the embedded server: below the data folder; or, when the server's account may not enter that folder, in a
// shared folder under a name derived from the data folder's path, so that a restart finds it.
import { createHash } from 'node:crypto'
import { accessSync, chmodSync, chownSync, constants, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Account, canReach, serverAccount } from './account.ts'

export interface Place {
  /** Folder of all files of this server: data, sockets, password, leases, log. */
  home: string
  data: string
  /** Folder of the Unix socket, at most about 90 bytes long. */
  sockets: string
  account: Account | undefined
}

/** Limit of a socket folder's length: all systems accept paths of 103 bytes, including `/.s.PGSQL.65535`. */
const MAX_SOCKET_FOLDER = 88

/**
 * Creates the folders of a server, owned by its account.
 *
 * @param dataDir  the data folder (`HEADWATER_DATA`); the server's home is `postgres` in it
 * @param log      called when the files are in another folder
 */
export function preparePlace(dataDir: string, log: (message: string) => void): Place {
  mkdirSync(resolve(dataDir), { recursive: true })
  const place = placeIn(dataDir, sharedRoot)
  const { home, sockets, account } = place
  if (home !== resolve(dataDir, 'postgres')) log(`PostgreSQL may not enter ${resolve(dataDir)}: its data is in ${home}`)
  for (const folder of [home, sockets, join(home, 'leases')]) createPrivateFolder(folder, account)
  return place
}

/** Finds the folders of a server that was started earlier. Creates nothing. @returns null if there are none */
export function findPlace(dataDir: string): Place | null {
  if (!existsSync(resolve(dataDir))) return null
  const places = [...sharedRoots(), userRoot()].map((root) => placeIn(dataDir, () => root))
  return places.find(({ data }) => existsSync(data)) ?? null
}

function placeIn(dataDir: string, root: () => string): Place {
  const wanted = resolve(dataDir, 'postgres')
  const account = serverAccount(join(wanted, 'data'))
  if (canReach(account, resolve(dataDir))) return placeAt(wanted, account)
  const home = join(root(), `data-${digest(wanted)}`)
  return placeAt(home, serverAccount(join(home, 'data')))
}

function placeAt(home: string, account: Account | undefined): Place {
  return { home, data: join(home, 'data'), sockets: socketFolder(home), account }
}

/** A folder that every account can enter; on most systems it persists across reboots. */
export function sharedRoot(): string {
  for (const root of sharedRoots()) {
    try {
      mkdirSync(root, { recursive: true })
      accessSync(root, constants.W_OK)
      if (process.getuid?.() === 0) chmodSync(root, 0o755)
      return root
    } catch {
      // Tries the next folder.
    }
  }
  return userRoot()
}

const sharedRoots = () => ['/var/lib/headwater', join(tmpdir(), 'headwater')]
const userRoot = () => join(tmpdir(), `headwater-${process.getuid?.() ?? 0}`)

function socketFolder(home: string): string {
  const inHome = join(home, 'sockets')
  return inHome.length <= MAX_SOCKET_FOLDER ? inHome : join(tmpdir(), `headwater-${digest(home)}`)
}

/** Creates a folder that only the account (and root) can enter. */
function createPrivateFolder(folder: string, account: Account | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
