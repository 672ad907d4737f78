// Facts of this machine and of the program's files.
import { readFileSync, statfsSync } from 'node:fs'
import { arch, cpus, freemem, loadavg, release, totalmem, type, uptime } from 'node:os'
import { resolve } from 'node:path'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export function versions(): Record<string, unknown> {
  return {
    headwater: version,
    node: process.versions.node,
    system: `${type()} ${release()} ${arch()}`,
    collectedAt: new Date().toISOString(),
  }
}

/** Bytes and seconds. */
export function machine(): Record<string, unknown> {
  return {
    processors: cpus().length,
    load: loadavg().map((one) => one.toFixed(2)),
    memoryBytes: totalmem(),
    memoryFreeBytes: freemem(),
    uptimeSeconds: Math.round(uptime()),
  }
}

export interface Room {
  /** The folder, or the nearest one above it that exists. */
  path: string
  freeBytes: number
  totalBytes: number
  freeFiles: number
}

/** Room of the file system of a folder. */
export function roomOf(folder: string): Room {
  let path = resolve(folder)
  for (;;)
    try {
      const { bavail, blocks, bsize, ffree } = statfsSync(path)
      return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles: ffree }
    } catch (error) {
      if (path === '/') throw error
      path = resolve(path, '..')
    }
}

/** Room of some folders by their use. */
export function disks(folders: Readonly<Record<string, string>>): (Room & { use: string })[] {
  return Object.entries(folders).map(([use, folder]) => ({ use, ...roomOf(folder) }))
}
