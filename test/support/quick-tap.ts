// Leaves out two costs of tap when the tests are compiled, and gives each test file its own `t` (file-tap.ts).
//
// `t.same` and `t.strictSame` print both values for each comparison, for a difference that is needed only when they
// differ. Here, values that are equal in every respect are not printed.
//
// Async hooks follow each promise: see error-domain.ts.
//
// pg loads Node's HTTP client to find out that it does not run in Cloudflare's runtime, which takes 0.08 s.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'

const COMPARISONS = ['same', 'strict'] as const

/** The module that takes the place of tap. */
export const FILE_TAP = join(import.meta.dirname, 'file-tap.ts')
/** The module that takes the place of tap's own domains of errors. */
export const ERROR_DOMAIN = join(import.meta.dirname, 'error-domain.ts')

/** The module of pg that looks whether it runs in Cloudflare's runtime. Node loads its HTTP client for that. */
const PG_STREAM = /[\\/]pg[\\/]lib[\\/]stream\.js$/
const RUNTIME_CHECK = 'if (isCloudflareRuntime())'

/** The module that exports the comparisons of tap. */
const MODULE = /[\\/]tcompare[\\/]dist[\\/]esm[\\/]index\.js$/

/**
 * Source of the module with a check before each comparison. Values that are deeply and strictly equal are `same` and
 * `strictSame` in tap too; for all others tap decides.
 *
 * @throws when the source does not define the comparisons as expected
 */
export function withQuickSame(source: string): string {
  let changed = `import { isDeepStrictEqual } from 'node:util';\n${source}`
  for (const name of COMPARISONS) {
    const definition = new RegExp(`^export const ${name} = (fn\\(\\w+\\));$`, 'm')
    if (!definition.test(changed))
      throw new Error(`tcompare defines ${name} in another way: adapt test/support/quick-tap.ts`)
    changed = changed.replace(
      definition,
      `const printing_${name} = $1;
export const ${name} = (found, wanted, options) =>
  isDeepStrictEqual(found, wanted) ? { match: true, diff: '' } : printing_${name}(found, wanted, options);`,
    )
  }
  return changed
}

/** @throws when the source does not check the runtime as expected */
export function withoutRuntimeCheck(source: string): string {
  if (!source.includes(RUNTIME_CHECK)) throw new Error('pg chooses its sockets in another way: adapt quick-tap.ts')
  return source.replace(RUNTIME_CHECK, 'if (false)')
}

export const quickTap: Plugin = {
  name: 'quick tap',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: MODULE }, ({ path }) => ({ contents: withQuickSame(readFileSync(path, 'utf8')), loader: 'js' }))
    onLoad({ filter: PG_STREAM }, ({ path }) => ({
      contents: withoutRuntimeCheck(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
    onResolve({ filter: /^async-hook-domain$/ }, () => ({ path: ERROR_DOMAIN }))
    onResolve({ filter: /^tap$/ }, ({ importer }) => (importer === FILE_TAP ? undefined : { path: FILE_TAP }))
  },
}
