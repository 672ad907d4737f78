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

/** Room of the file systems of some folders, of the nearest one that exists. */
export function disks(folders: Readonly<Record<string, string>>): object[] {
  return Object.entries(folders).map(([use, folder]) => {
    let path = resolve(folder)
    for (;;)
      try {
        const { bavail, blocks, bsize, ffree } = statfsSync(path)
        return { use, path, freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles: ffree }
      } catch (error) {
        if (path === '/') throw error
        path = resolve(path, '..')
      }
  })
}
