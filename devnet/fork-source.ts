// Starts a module of TypeScript in a child process, from whatever folder this process runs in.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Address of the loader. Its bare name would be looked up in the working folder. */
const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** @param options  `execArgv` gets the loader added */
export function forkSource(script: URL, args: readonly string[], options: ForkOptions = {}): ChildProcess {
  const execArgv = [...(options.execArgv ?? []), '--import', LOADER]
  return fork(fileURLToPath(script), args, { ...options, execArgv })
}
