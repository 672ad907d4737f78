// Chooses the folder for the files of a test run. A test's database is about 680 small files; on a disk's file system,
// creating and deleting them may take longer than the test.
import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** Upper bound of the bytes that a whole run needs. */
const NEEDED = 6 * 2 ** 30

/** A folder in memory when it has enough space, otherwise the system's temporary folder. */
export function roomyFolder(): string {
  try {
    const { bsize, bavail } = statfsSync(MEMORY)
    return Math.min(bsize * bavail, freemem()) >= NEEDED ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
