// Bundles TypeScript entry points and their imports into plain JavaScript modules.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Modules of threads. A thread that starts from its sources compiles them and keeps a compiler running. */
export const THREADS = ['bin/worker-thread.ts', 'cosign/signer-thread.ts', 'proofs/verifier-thread.ts']

/**
 * Makes compiled modules find the files next to their sources.
 *
 * @param {string} root
 * @param {string | undefined} threads  folder of the compiled threads; without it they start from their sources
 */
function sourcePlaces(root, threads) {
  const compiled = new Map(THREADS.map((source) => [join(root, source), source]))
  return {
    name: 'places of sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const places = { dirname: dirname(path), filename: path, url: pathToFileURL(path).href }
        const contents = readFileSync(path, 'utf8')
          .replace(/\bnew URL\('\.\/([\w-]+-thread)\.js', import\.meta\.url\)/g, (whole, name) => {
            const source = compiled.get(join(places.dirname, `${name}.ts`))
            if (threads === undefined || source === undefined) return whole
            const built = join(threads, source.replace(/\.ts$/, '.mjs'))
            // A newer build may have removed this one: the source remains.
            const isThere = `process.getBuiltinModule('node:fs').existsSync(${JSON.stringify(built)})`
            return `new URL(${isThere} ? ${JSON.stringify(pathToFileURL(built).href)} : './${name}.js', import.meta.url)`
          })
          .replace(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, name) => JSON.stringify(places[name]))
        return { contents, loader: 'ts' }
      })
    },
  }
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
 * @param {object} [options]
 * @param {{ inside: string[], outside: string[] }} [options.packages]  packages to compile in, and dependencies of
 *   theirs to leave out; default: none is compiled in
 * @param {import('esbuild').Plugin[]} [options.plugins]  further steps of the compilation
 * @param {string} [options.threads]  absolute folder in which the compiled modules of THREADS will be when they are
 *   started; default: threads start from their sources
 */
export function compileModules(root, entries, folder, options = {}) {
  const { packages = { inside: [], outside: [] }, plugins = [], threads } = options
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
    plugins: [...plugins, packagesInside(packages.inside, packages.outside), sourcePlaces(root, threads)],
    logLevel: 'warning',
  })
}

/**
 * Compiles the command line.
 *
 * @param {string} root
 * @param {string} draft   output
 * @param {string} folder  absolute folder that the output is moved to
 */
export async function compileProgram(root, draft, folder) {
  await compileModules(root, ['bin/main.ts', ...THREADS], draft, { threads: folder })
}
