// Removal of builds that no process needs any more.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Builds that are kept: that of a process which was not restarted after the last two upgrades is among them. */
const MAX_BUILDS = 3

/** Removes all but the newest builds. A running process reads modules from its own build when it first needs them. */
export function removeOldBuilds(folder) {
  const builds = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, made: statSync(path).mtimeMs }))
    .sort((a, b) => b.made - a.made)
  for (const { path } of builds.slice(MAX_BUILDS)) rmSync(path, { recursive: true, force: true })
}
