// Packs or fetches, and kills itself with SIGKILL before its n-th step: a statement of a database, or an access to a
// file. Prints the number of steps when it ends by itself.
import pg from 'pg'
import { FolderStore } from '../../net/objects/folder.ts'
import { fetch, pack } from './scene.ts'

export interface KilledOptions {
  work: 'pack' | 'fetch'
  url: string
  folder: string
  recording: string
  /** What a fetch trusts; null without verification. */
  trust: string | null
  /** The step before which it ends; 0 for none. */
  step: number
  /** A part of a statement, from which on steps count; without it, from the beginning. */
  from?: string
}

const { work, url, folder, recording, trust, step, from }: KilledOptions = JSON.parse(process.argv[2] as string)
let steps = 0
let counts = from === undefined

function count(): void {
  if (!counts) return
  if (++steps === step) process.kill(process.pid, 'SIGKILL')
}

const query = pg.Client.prototype.query
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first] = args
  if (from !== undefined && typeof first === 'string' && first.includes(from)) counts = true
  count()
  return (query as (...args: unknown[]) => unknown).apply(this, args)
} as typeof query

class CountedStore extends FolderStore {
  override async read(...args: Parameters<FolderStore['read']>): ReturnType<FolderStore['read']> {
    count()
    return super.read(...args)
  }

  override async open(...args: Parameters<FolderStore['open']>): ReturnType<FolderStore['open']> {
    count()
    return super.open(...args)
  }

  override async write(...args: Parameters<FolderStore['write']>): Promise<void> {
    count()
    await super.write(...args)
    count()
  }

  override async replace(...args: Parameters<FolderStore['replace']>): Promise<void> {
    count()
    await super.replace(...args)
    count()
  }
}

const store = new CountedStore(folder)
if (work === 'pack') await pack(url, folder, recording, { store, publishMs: 0, partRanges: 2 })
else await fetch(url, folder, { store, verify: trust === null ? null : { trust } })
// Before it prints.
count()
process.stdout.write(`${JSON.stringify({ steps })}\n`)
process.exit(0)
