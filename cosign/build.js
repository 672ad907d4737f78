// Builds the package: bundles the cosigner with the modules of the other folders that it imports into dist/, next to the
// files of the chains. Dependencies stay outside; a dependency that package.json does not list is an error.
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

const FOLDER = import.meta.dirname
const ROOT = join(FOLDER, '..')
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
  entryPoints: { main: 'bin/cosign.ts', 'signer-thread': 'cosign/signer-thread.ts' },
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

const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))
const packageOf = (path) => /^(@[^/]+\/)?[^/]+/.exec(path)[0]
const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
const packages = new Set(imported.filter((path) => !isBuiltin(path)).map(packageOf))
const unlisted = [...packages].filter((name) => !Object.hasOwn(dependencies, name))
const unused = Object.keys(dependencies).filter((name) => !packages.has(name))
if (unlisted.length > 0) throw new Error(`package.json does not list ${unlisted.join(', ')}`)
if (unused.length > 0) throw new Error(`package.json lists ${unused.join(', ')}, which nothing imports`)

chmodSync(join(DIST, 'main.js'), 0o755)
for (const name of readdirSync(join(ROOT, 'config')))
  if (name.endsWith('.json')) copyFileSync(join(ROOT, 'config', name), join(DIST, name))
