// Bundles TypeScript entry points and their imports into plain JavaScript modules.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

/** Makes compiled modules find the files next to their sources. */
const sourcePlaces = {
  name: 'places of sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const places = { dirname: dirname(path), filename: path, url: pathToFileURL(path).href }
      const source = readFileSync(path, 'utf8')
      const contents = source.replace(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, name) =>
        JSON.stringify(places[name]),
      )
      return { contents, loader: 'ts' }
    })
  },
}

/** CommonJS modules in an ES module call `require` for modules of Node and for packages that stay outside. */
const REQUIRE = `import { createRequire as createRequireForPackages } from 'node:module'
const require = createRequireForPackages(import.meta.url);`

/** Compiles the chosen packages and their dependencies in; leaves the others to be imported from node_modules. */
function packagesInside(inside, outside) {
  return {
    name: 'packages inside',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./#]/ }, ({ path, kind, importer }) => {
        if (kind === 'entry-point') return
        const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
        const isInside = importer.includes('/node_modules/') ? !outside.includes(name) : inside.includes(name)
        return isInside && !path.startsWith('node:') ? undefined : { path, external: true }
      })
    },
  }
}

/**
 * @param {string} root         folder of the sources
 * @param {string[]} entries    modules, relative to the root
 * @param {string} folder       output: one `.mjs` per entry, and shared chunks
 * @param {{ inside: string[], outside: string[] }} [packages]  packages to compile in, and dependencies of theirs to
 *   leave out; default: none is compiled in
 * @param {import('esbuild').Plugin[]} [plugins]  further steps of the compilation
 */
export function compileModules(root, entries, folder, packages = { inside: [], outside: [] }, plugins = []) {
  return build({
    absWorkingDir: root,
    entryPoints: entries,
    outbase: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    banner: packages.inside.length > 0 ? { js: REQUIRE } : {},
    plugins: [...plugins, packagesInside(packages.inside, packages.outside), sourcePlaces],
    logLevel: 'warning',
  })
}

/** Compiles the command line, and writes the commands' help texts to `help.json`. */
export async function compileProgram(root, folder) {
  await compileModules(root, ['bin/main.ts', 'bin/cli/write-help.ts'], folder)
  const words = [join(folder, 'bin/cli/write-help.mjs'), join(folder, 'help.json')]
  await promisify(execFile)(process.execPath, words)
}
