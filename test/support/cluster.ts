// A PostgreSQL server for tests: fast, not durable, removed with the process that started it.
import { chmodSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../indexer/store/embedded/server.ts'

export interface TestCluster {
  /** URL as superuser, of a database that tests must not use: create one with `testDatabase`. */
  url: string
  stop(): Promise<void>
}

const PREFIX = 'headwater-test-'

/**
 * Starts a server with an empty data directory. It also stops when this process is killed.
 *
 * @param options.durable  true to let commits wait for the disk, as in production (benchmarks)
 */
export async function startTestCluster(options: { durable?: boolean } = {}): Promise<TestCluster> {
  removeEmptyFolders()
  const dataDir = mkdtempSync(join(tmpdir(), PREFIX))
  chmodSync(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir, ephemeral: true, durable: options.durable === true })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Servers of killed processes remove their own files, but may not remove the folder that root made for them. */
function removeEmptyFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    try {
      rmdirSync(join(tmpdir(), name, 'postgres'))
      rmdirSync(join(tmpdir(), name))
    } catch {
      // In use.
    }
  }
}
