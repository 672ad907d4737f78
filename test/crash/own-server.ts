// A durable PostgreSQL server for one test, which may kill it, and a small disk for its data, which may be filled.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'
import { startEmbeddedPostgres } from '../../indexer/store/embedded/server.ts'
import { migrate } from '../../migrations/migrate.ts'
import { forgetChain } from '../simulation/forget-chain.ts'

export interface TinyDisk {
  /** URL of a migrated database on that disk. */
  url: string
  /** Fills the disk. */
  fill(): void
  free(): void
}

export interface OwnServer {
  /** URL of a migrated database. */
  url: string
  /** Data directory. */
  directory: string
  forget(chain: string): Promise<void>
  /** Null when no file system can be mounted. */
  tinyDisk(): Promise<TinyDisk | null>
}

/** The server stops at the end of the test. */
export async function ownServer(t: Test): Promise<OwnServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-crash-'))
  chmodSync(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir })
  const unmounts: (() => void)[] = []
  t.teardown(async () => {
    await server.stop()
    for (const unmount of unmounts) unmount()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await migrate(server.url)
  return {
    url: server.url,
    directory: server.directory,
    async forget(chain) {
      const pool = new pg.Pool({ connectionString: server.url, max: 1 })
      // The pool is removed before its connections are closed; the server may still end them with an error.
      pool.on('error', () => {})
      await forgetChain(pool, chain)
      await pool.end()
    },
    async tinyDisk() {
      const disk = join(dataDir, 'disk')
      mkdirSync(disk)
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk], { stdio: 'ignore' })
      } catch {
        return null
      }
      unmounts.push(() => execFileSync('umount', [disk]))
      return await databaseOn(disk, server.url, server.directory)
    },
  }
}

async function databaseOn(disk: string, serverUrl: string, directory: string): Promise<TinyDisk> {
  const space = join(disk, 'space')
  mkdirSync(space)
  const { uid, gid } = statSync(directory)
  chownSync(space, uid, gid)
  const client = new pg.Client(serverUrl)
  await client.connect()
  await client.query(`create tablespace tiny location '${space}'`)
  await client.query('create database tiny tablespace tiny')
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = '/tiny'
  await migrate(url.href)
  const filler = join(disk, 'filler')
  return {
    url: url.href,
    fill() {
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(filler, new Uint8Array(bavail * bsize))
    },
    free: () => rmSync(filler),
  }
}
