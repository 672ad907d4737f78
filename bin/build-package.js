// Builds a package of this repository that runs alone (@headwater/cosign, @headwater/relay): bundles its entries with the
// modules of all folders that they import into its dist/, next to the files of the chains. Dependencies stay outside; one
// that its package.json does not list, or that nothing imports, is an error.
// Usage, in the folder of the package: node ../bin/build-package.js NAME=ENTRY...   makes dist/NAME.js of each entry
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = process.cwd()
const DIST = join(FOLDER, 'dist')

/** Keeps packages outside, and drops the imports of those that the bundle does not use. */
const packagesOutside = {
  name: 'packages outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path, external: true, sideEffects: false },
    )
  },
}

rmSync(DIST, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: Object.fromEntries(process.argv.slice(2).map((word) => word.split('='))),
  outdir: DIST,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: { js: '#!/usr/bin/env node' },
  plugins: [packagesOutside],
  metafile: true,
  logLevel: 'warning',
})

const { bin, dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))
const packageOf = (path) => /^(@[^/]+\/)?[^/]+/.exec(path)[0]
const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
const packages = new Set(imported.filter((path) => !isBuiltin(path)).map(packageOf))
const unlisted = [...packages].filter((name) => !Object.hasOwn(dependencies, name))
const unused = Object.keys(dependencies).filter((name) => !packages.has(name))
if (unlisted.length > 0) throw new Error(`package.json does not list ${unlisted.join(', ')}`)
if (unused.length > 0) throw new Error(`package.json lists ${unused.join(', ')}, which nothing imports`)

for (const program of Object.values(bin)) chmodSync(join(FOLDER, program), 0o755)
for (const name of readdirSync(join(ROOT, 'config')))
  if (name.endsWith('.json')) copyFileSync(join(ROOT, 'config', name), join(DIST, name))
