// Starts the command line from a build of its sources. The build is made at the first start and after every change. If
// no build can be written, tsx compiles the sources as they load.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { removeOldBuilds } from './old-builds.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Inside node_modules, so that packages resolve as they do from the sources. */
const CACHE = join(ROOT, 'node_modules/.cache/headwater')
const SOURCES = [
  'api',
  'bin',
  'config',
  'core',
  'cosign',
  'devnet',
  'finality-store',
  'indexer',
  'migrations',
  'net',
  'packs',
  'proofs',
  'relay',
  'web',
]

/** Digest of names, sizes and modification times of all sources: it changes with every edit. */
function keyOfSources() {
  const hash = createHash('sha256')
  const hashFolder = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) hashFolder(path)
      else if (/\.ts$|^package-lock\.json$/.test(entry.name)) {
        const { size, mtimeMs } = statSync(path)
        hash.update(`${path} ${size} ${mtimeMs}\n`)
      }
    }
  }
  for (const name of SOURCES) if (existsSync(join(ROOT, name))) hashFolder(join(ROOT, name))
  return hash.digest('hex').slice(0, 20)
}

/** Compiles into a temporary folder and renames it, so that two processes may start at once. */
async function build(folder) {
  const { compileProgram } = await import('./compile.js')
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  await compileProgram(ROOT, draft, folder)
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  removeOldBuilds(CACHE)
}

async function builtFolder() {
  const folder = join(CACHE, keyOfSources())
  if (!existsSync(folder)) await build(folder)
  process.setSourceMapsEnabled(true)
  return folder
}

let main
try {
  main = pathToFileURL(join(await builtFolder(), 'bin/main.mjs')).href
} catch {
  const { register } = await import('tsx/esm/api')
  register()
  main = new URL('./main.ts', import.meta.url).href
}
await import(main)
