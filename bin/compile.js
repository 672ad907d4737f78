// Compiles modules with all that they import from the sources into plain modules.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Compiled modules still find the files next to their sources. */
export const sourcePlaces = {
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
 * @param {string[]} entries    modules, from the root
 * @param {string} folder       gets a `.mjs` for each, and the parts that they share
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

/** The command line. */
export function compileProgram(root, folder) {
  return compileModules(root, ['bin/main.ts'], folder)
}
