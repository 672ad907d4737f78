// Finds the EVM node's program. The development dependencies include it, one package for each platform.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const PLATFORMS: readonly string[] = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']

/** Path of the program, or why it is missing and what to do. */
export type Found = { path: string; missing: null } | { path: null; missing: string }

/** @param resolve  finds a file of an installed package; replaceable for tests */
export function findAnvil(
  platform: string = process.platform,
  architecture: string = process.arch,
  resolve: (name: string) => string = createRequire(import.meta.url).resolve,
): Found {
  const none = (missing: string): Found => ({ path: null, missing })
  if (!PLATFORMS.includes(`${platform}-${architecture}`))
    return none(`there is no anvil for ${platform} on ${architecture}`)
  const name = `@foundry-rs/anvil-${platform}-${ARCHITECTURES[architecture]}`
  try {
    const file = platform === 'win32' ? 'anvil.exe' : 'anvil'
    const path = join(dirname(resolve(`${name}/package.json`)), 'bin', file)
    return existsSync(path) ? { path, missing: null } : none(`${name} has no ${file}: install it again`)
  } catch {
    return none(`${name} is not installed: npm ci without --omit=dev and --omit=optional installs it`)
  }
}
