// Temporary files without a name. The system removes them when the process ends or crashes.
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * @param folder  where to create the file; the system's temporary folder when absent
 * @returns descriptor, open for reading and writing
 */
export function openUnnamedFile(folder = tmpdir()): number {
  const place = mkdtempSync(join(folder, 'headwater-'))
  try {
    return openSync(join(place, 'data'), 'wx+', 0o600)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
