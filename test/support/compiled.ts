// Compiles the tests with all that they import into plain modules, once for a run: loaded one by one from TypeScript,
// the sources of a test take longer than most tests do.
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { compileModules } from '../../bin/compile.js'
import { CHILD_MODULES } from './child-module.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Inside node_modules, from where packages are found as they are from the sources. */
export const FOLDER = 'node_modules/.cache/headwater-tests'

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
  await compileModules(ROOT, [...files, ...CHILD_MODULES], FOLDER)
  return files.map((file) => join(FOLDER, relative(ROOT, resolve(ROOT, file)).replace(/\.ts$/, '.mjs')))
}
