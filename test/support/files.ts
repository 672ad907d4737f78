// Runs test files, several in parallel: most in processes that take one file after the other, the others in a process
// each. Tap's own runner traces every loaded module for coverage, which costs a second of processor time per file.
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import type { CompiledTest } from './compiled.ts'
import { LATER_OPTIMIZATION } from './node-options.ts'
import { killGroup } from './process-group.ts'
import type { Ended } from './report.ts'
import { SharedProcess } from './shared-files.ts'

/**
 * Number of parallel files: one more than processors, for files that wait. On two processors, four files took a tenth more
 * processor time than three for the same tests, and were no faster.
 */
const AT_ONCE = availableParallelism() + 1
/** One thread for compiling and garbage collection: with four, next to other processes, a file takes 6 percent more. */
const NODE_ARGUMENTS = [
  '--v8-pool-size=1',
  ...LATER_OPTIMIZATION,
  `--import=${new URL('processor-time.js', import.meta.url)}`,
]

/** Node's options of tests and of their child processes. */
const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('one-statement.js', import.meta.url)}`

export interface RunOptions {
  /** Timeouts in seconds: the default of a test, and the limit of a file. */
  patience: { test: number; file: number }
  environment: Record<string, string>
  /** Arguments of node before the file. */
  nodeArguments: readonly string[]
  /** Absolute folder of the compiled modules. */
  folder: string
  /** Module of processes that run several files; null: each file has a process of its own. */
  sharedModule: string | null
  /** True for files that must not run in parallel with others of their kind. */
  isApart(test: CompiledTest): boolean
  onEnd(ended: Ended): void
}

/** Runs the files in order. A signal to this process ends them with all their child processes. */
export async function runFiles(files: readonly CompiledTest[], options: RunOptions): Promise<void> {
  const running = new Set<ChildProcess>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      for (const child of running) killGroup(child)
      process.exit(1)
    })
  const apart = files.filter(options.isApart)
  const others = files.filter((file) => !options.isApart(file))
  const work = async (waiting: CompiledTest[]) => {
    const shared = sharedProcess(options, running)
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      options.onEnd(
        await (shared !== null && file.isShared
          ? shared.run(file.source, file.module)
          : runFile(file, options, running)),
      )
    await shared?.close()
  }
  const first = work(apart).then(() => work(others))
  await Promise.all([first, ...Array.from({ length: AT_ONCE - 1 }, () => work(others))])
}

function sharedProcess(options: RunOptions, running: Set<ChildProcess>): SharedProcess | null {
  if (options.sharedModule === null) return null
  return new SharedProcess({
    folder: options.folder,
    nodeArguments: [...NODE_ARGUMENTS, options.sharedModule],
    environment: environmentOf(options),
    patience: options.patience,
    running,
  })
}

function environmentOf({ environment, patience }: RunOptions): NodeJS.ProcessEnv {
  return { ...process.env, ...environment, NODE_OPTIONS, TAP: '1', TAP_TIMEOUT: String(patience.test) }
}

async function runFile(test: CompiledTest, options: RunOptions, running: Set<ChildProcess>): Promise<Ended> {
  const { patience, nodeArguments } = options
  const started = performance.now()
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, ...nodeArguments, test.module], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Leads a process group, so that its child processes can be ended with it.
    detached: true,
    env: environmentOf(options),
  })
  running.add(child)
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    killGroup(child)
  }, patience.file * 1000)
  const trouble = await new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(String(error)))
    child.once('close', (code, signal) => {
      if (isLate) resolve(`ended after ${patience.file} s`)
      else if (signal !== null) resolve(`ended by ${signal}`)
      else resolve(code === 0 ? null : `exit code ${code}`)
    })
  })
  clearTimeout(timer)
  running.delete(child)
  return { name: test.source, seconds: (performance.now() - started) / 1000, lines, trouble }
}
