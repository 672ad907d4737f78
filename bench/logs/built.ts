// The program of the measured backfill as users start it: built by `bin/compile.js`, threads included. From TypeScript
// each thread would compile its modules for a second.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { compileModules, THREADS } from '../../bin/compile.js'

const ROOT = join(import.meta.dirname, '../..')
const ENTRY = 'bench/logs/backfill-process.ts'

export interface Built {
  /** Module to start. */
  path: string
  remove(): void
}

/** Builds into a folder from which packages are found. */
export async function buildBackfill(): Promise<Built> {
  const folder = join(ROOT, `node_modules/.cache/headwater-bench-logs.${process.pid}`)
  await compileModules(ROOT, [ENTRY, ...THREADS], folder, { threads: folder })
  return {
    path: join(folder, ENTRY.replace(/\.ts$/, '.mjs')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
