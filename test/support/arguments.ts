// Arguments of `npm test`: files, folders and flags.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface RunArguments {
  files: string[]
  /** True: only tests that need neither a database nor a browser nor an EVM. */
  isUnit: boolean
  /** `--inspect-brk` with its address, for the process of the one test; null when not requested. */
  inspect: string | null
}

/**
 * Reads the arguments. Without a path, all tests run; a folder means all tests in it.
 *
 * @throws Error that names a path or flag that does not exist
 */
export function parseRunArguments(given: readonly string[]): RunArguments {
  const flags = given.filter((argument) => argument.startsWith('-'))
  const paths = given.filter((argument) => !argument.startsWith('-'))
  const inspect = flags.find(isInspect) ?? null
  const unknown = flags.find((flag) => flag !== '--unit' && !isInspect(flag))
  if (unknown !== undefined) throw new Error(`there is no flag ${unknown}: use --unit or --inspect-brk[=HOST:PORT]`)
  const files = (paths.length > 0 ? paths : ['test']).flatMap(expand)
  if (inspect !== null && files.length !== 1) throw new Error('--inspect-brk needs exactly one test file')
  return { files, isUnit: flags.includes('--unit'), inspect }
}

function isInspect(flag: string): boolean {
  return /^--inspect-brk(=.+)?$/.test(flag)
}

function expand(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`there is no test ${path}`)
  if (!found.isDirectory()) return [path]
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  // Packages of the browser's tests, which are installed under `test`, bring tests of their own.
  const own = names.filter((name) => name.endsWith('.test.ts') && !name.split('/').includes('node_modules'))
  return own.map((name) => join(path, name))
}
