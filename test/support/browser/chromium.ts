// Finds a Chromium: from HEADWATER_TEST_CHROMIUM, installed on the system, unpacked by an earlier run, or from Debian's
// packages. Installs Puppeteer, which controls it. The build without a window (`chromium-headless-shell`) comes first: it
// has the same engine and takes a fifth of the processor time.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { firstLines } from '../test-package.ts'
import { unpackChromium } from './debian-packages.ts'
import { loadPuppeteer } from './puppeteer.ts'

export interface Chromium {
  executable: string
  /** Additional environment variables. */
  environment: Record<string, string>
}

/** There is no Chromium or no Puppeteer, and none can be installed. */
export interface Missing {
  missing: string
}

/** Ignored by git. */
const UNPACKED = join(import.meta.dirname, '../../../.headwater/headless-chromium')
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
/** Set by the test runner after a search without result, so that no test searches again. */
export const MISSING_VARIABLE = 'HEADWATER_TEST_CHROMIUM_MISSING'

/** Never throws: returns the reason. Takes up to some minutes when packages are downloaded. */
export async function findChromium(): Promise<Chromium | Missing> {
  const missing = process.env[MISSING_VARIABLE]
  if (missing !== undefined) return { missing }
  try {
    await loadPuppeteer()
  } catch (error) {
    return { missing: firstLines(error) }
  }
  return findProgram()
}

async function findProgram(): Promise<Chromium | Missing> {
  const given = process.env.HEADWATER_TEST_CHROMIUM
  if (given !== undefined && given !== '')
    return isExecutable(given) ? { executable: given, environment: {} } : { missing: `${given} cannot be executed` }
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of NAMES)
      if (isExecutable(join(folder, name))) return { executable: join(folder, name), environment: {} }
  if (!existsSync(UNPACKED)) {
    try {
      await unpackChromium(UNPACKED)
    } catch (error) {
      // A parallel test may have unpacked it.
      if (!existsSync(UNPACKED))
        return { missing: `${reasonOf(error as NodeJS.ErrnoException)}; HEADWATER_TEST_CHROMIUM may name one` }
    }
  }
  return unpacked(UNPACKED)
}

function unpacked(root: string): Chromium {
  return {
    executable: join(root, 'usr/lib/chromium/chromium-headless-shell'),
    environment: {
      LD_LIBRARY_PATH: librariesIn(root).join(delimiter),
      FONTCONFIG_FILE: join(root, 'fonts.conf'),
    },
  }
}

/** Folders with shared libraries. */
export function librariesIn(root: string): string[] {
  const folders = new Set<string>()
  for (const { name, parentPath } of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (/\.so(\.|$)/.test(name)) folders.add(parentPath)
  return [...folders]
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT' ? 'there is no apt-get here' : firstLines(error)
}
