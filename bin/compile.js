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

/**
 * @param {string} root         folder of the sources
 * @param {string[]} entries    modules, relative to the root
 * @param {string} folder       output: one `.mjs` per entry, and shared chunks
 */
export function compileModules(root, entries, folder) {
  return build({
    absWorkingDir: root,
    entryPoints: entries,
    outbase: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    metafile: true,
    plugins: [sourcePlaces],
    logLevel: 'warning',
  })
}

/** Compiles the command line, and writes the commands' help texts to `help.json`. */
export async function compileProgram(root, folder) {
  await compileModules(root, ['bin/main.ts', 'bin/cli/write-help.ts'], folder)
  const words = [join(folder, 'bin/cli/write-help.mjs'), join(folder, 'help.json')]
  await promisify(execFile)(process.execPath, words)
}
