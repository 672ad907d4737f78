// Where a run of tests keeps its files. A test's database is some 680 small files, which a disk's file system may take
// longer to make and delete than the test takes.
import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** Bytes that a whole run may need at the most, with room to spare. */
const NEEDED = 6 * 2 ** 30

/** A folder in memory where there is room for it, else the system's temporary folder. */
export function roomyFolder(): string {
  try {
    const { bsize, bavail } = statfsSync(MEMORY)
    return Math.min(bsize * bavail, freemem()) >= NEEDED ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
