// A PostgreSQL of a place, which ends with the recorder.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../indexer/store/embedded/server.ts'
import { migrate } from '../../../migrations/migrate.ts'

export interface PlaceServer {
  /** URL of a migrated database. */
  url: string
  /** A folder for files of the place. */
  folder: string
  stop(): Promise<void>
}

export async function placeServer(): Promise<PlaceServer> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-recorded-'))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: folder, ephemeral: true })
  await migrate(server.url)
  return {
    url: server.url,
    folder,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
