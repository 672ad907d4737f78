import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The used part of a tap test. */
interface Test {
  teardown(work: () => unknown): unknown
}

/** An empty folder that is removed at the end of the test. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
