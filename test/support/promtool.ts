// Prometheus' tool for rules: the system's, otherwise that of Debian's package, unpacked without root.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { reasonOf } from './browser/chromium.ts'
import { unpackPackage } from './browser/debian-packages.ts'

const PROGRAM = 'usr/bin/promtool'
/** Ignored by git. */
const UNPACKED = join(import.meta.dirname, '../../.headwater/prometheus')
/** When set to `required`, a missing tool is a failure. */
const REQUIRED_VARIABLE = 'HEADWATER_TEST_PROMTOOL'

/** Never throws: returns the reason. Takes up to some minutes when the package is downloaded. */
export async function findPromtool(): Promise<{ path: string } | { missing: string; isRequired: boolean }> {
  const system = join('/', PROGRAM)
  if (existsSync(system)) return { path: system }
  try {
    if (!existsSync(UNPACKED)) await unpackPackage('prometheus', UNPACKED, { isAlone: true })
    return { path: join(UNPACKED, PROGRAM) }
  } catch (error) {
    const isRequired = process.env[REQUIRED_VARIABLE] === 'required'
    return { missing: `promtool: ${reasonOf(error as NodeJS.ErrnoException)}`, isRequired }
  }
}

/**
 * Fails the test when the tool is missing and required; otherwise notes that it is missing.
 *
 * @returns runs the tool and returns what it says of failures, '' without any; null when it is missing
 */
export async function openPromtool(t: Test): Promise<((...args: string[]) => Promise<string>) | null> {
  const found = await findPromtool()
  if ('missing' in found) {
    t.notOk(found.isRequired, found.missing)
    t.comment(`not run: ${found.missing}`)
    return null
  }
  return (...args) =>
    promisify(execFile)(found.path, args, { maxBuffer: 1e8 }).then(
      () => '',
      (error) => `${error.stdout}${error.stderr}`,
    )
}
