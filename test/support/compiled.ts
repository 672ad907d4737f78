// Compiles the tests with all that they import into plain modules, once for a run: loaded one by one from TypeScript,
// the sources of a test take longer than most tests do.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { CHILD_MODULES } from './child-module.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Inside node_modules, from where packages are found as they are from the sources. */
export const FOLDER = 'node_modules/.cache/headwater-tests'

/** Modules still find the files beside their sources. */
const ownPlace: Plugin = {
  name: 'own place',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const places = { dirname: dirname(path), filename: path, url: pathToFileURL(path).href }
      const source = readFileSync(path, 'utf8')
      const contents = source.replace(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, name: keyof typeof places) =>
        JSON.stringify(places[name]),
      )
      return { contents, loader: 'ts' }
    })
  },
}

/** The source of a compiled test. */
export function sourceName(module: string): string {
  return module.replace(`${FOLDER}/`, '').replace(/\.test\.mjs$/, '.test.ts')
}

/**
 * @param files  tests, from the root
 * @returns their modules, likewise, in a folder that has those of their child processes too
 * @throws what esbuild has to say of a source that it cannot compile
 */
export async function compileTests(files: readonly string[]): Promise<string[]> {
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true })
  mkdirSync(join(ROOT, FOLDER), { recursive: true })
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...files, ...CHILD_MODULES],
    outbase: ROOT,
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    plugins: [ownPlace],
    logLevel: 'warning',
  })
  return files.map((file) => join(FOLDER, relative(ROOT, resolve(ROOT, file)).replace(/\.ts$/, '.mjs')))
}
