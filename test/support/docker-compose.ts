// Debian's docker-compose: the system's, otherwise its package, unpacked without root. Needs no Docker.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from './browser/chromium.ts'
import { unpackPackage } from './browser/debian-packages.ts'

const PROGRAM = 'usr/bin/docker-compose'
/** Debian's, which finds the packages that the system already has. */
const PYTHON = 'usr/bin/python3'
/** Ignored by git. */
const UNPACKED = join(import.meta.dirname, '../../.headwater/docker-compose')
/** When set to `required`, a missing program is a failure. */
const REQUIRED_VARIABLE = 'HEADWATER_TEST_COMPOSE'

export interface Compose {
  command: string
  /** Before those of the program. */
  args: string[]
  env: Record<string, string>
}

/** Never throws: returns the reason. Takes up to some minutes when the packages are downloaded. */
export async function findCompose(): Promise<Compose | { missing: string; isRequired: boolean }> {
  const { PATH = '', HOME = '' } = process.env
  if (existsSync(join('/', PROGRAM))) return { command: join('/', PROGRAM), args: [], env: { PATH, HOME } }
  try {
    if (!existsSync(UNPACKED)) await unpackPackage('docker-compose', UNPACKED)
    const env = { PATH, HOME, PYTHONPATH: join(UNPACKED, 'usr/lib/python3/dist-packages') }
    const python = ['/', UNPACKED].map((root) => join(root, PYTHON)).find((path) => existsSync(path)) ?? 'python3'
    return { command: python, args: [join(UNPACKED, PROGRAM)], env }
  } catch (error) {
    const isRequired = process.env[REQUIRED_VARIABLE] === 'required'
    return { missing: `docker-compose: ${reasonOf(error as NodeJS.ErrnoException)}`, isRequired }
  }
}
