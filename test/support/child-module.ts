// Modules that tests run in child processes.
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILED_VARIABLE } from './compiled-folder.ts'
import { LATER_OPTIMIZATION } from './node-options.ts'

/** Modules that are compiled with the tests: starting one from TypeScript takes seconds of processor time. */
export const CHILD_MODULES = [
  'bin/main.ts',
  'devnet/main.ts',
  'test/api/explore/stream/server.ts',
  'test/bin/stray-error.ts',
  'test/cosign/limit-racer.ts',
  'test/crash/indexer.ts',
  'test/indexer/jobs/worker-process.ts',
  'test/indexer/source/evm/killed-child.ts',
  'test/indexer/source/logs/index-logs.ts',
  'test/indexer/store/embedded/examine.ts',
  'test/indexer/store/embedded/user.ts',
  'test/packs/killed-child.ts',
  'test/relay/child.ts',
]
const ROOT = join(import.meta.dirname, '../..')

/**
 * @param source  one of the modules above, relative to the caller
 * @param place   the caller's `import.meta.url`
 * @returns file and arguments of node for `fork`; `[...execArgv, file]` for `spawn`
 */
export function childModule(source: string, place: string): { file: string; execArgv: string[] } {
  const file = fileURLToPath(new URL(source, place))
  const compiled = process.env[COMPILED_VARIABLE]
  const name = relative(ROOT, file)
  if (!CHILD_MODULES.includes(name)) throw new Error(`${name} is not among the child modules`)
  if (compiled === undefined) return { file, execArgv: ['--import=tsx'] }
  return { file: join(compiled, name.replace(/\.ts$/, '.mjs')), execArgv: [...LATER_OPTIMIZATION] }
}
