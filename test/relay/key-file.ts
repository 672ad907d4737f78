// A key file of a test, readable by its owner alone.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'

export function keyFile(t: Test, key: string): string {
  const path = join(t.testdir({ key }), 'key')
  chmodSync(path, 0o600)
  return path
}
