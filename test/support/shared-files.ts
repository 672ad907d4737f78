// Runs test files in processes that are used for many files each.
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve as resolvePath } from 'node:path'
import { createInterface } from 'node:readline'
import { killGroup } from './process-group.ts'
import type { Ended } from './report.ts'

/** Begin of the line that a process prints at the end of a file; JSON of `FileEnd` follows. */
export const FILE_ENDED = '# file ended: '
const END_LINE = new RegExp(`^${FILE_ENDED}(.*)$`)
/** A process that uses more memory, in bytes, is not used again. */
const MAX_MEMORY = 700 * 2 ** 20

/** Request to run a file. */
export interface FileStart {
  /** Path of the test from the root. */
  source: string
  /** Absolute path of the compiled module. */
  module: string
  /** Absolute path of the folder with the compiled module and the modules that it imports. */
  folder: string
  timeoutMs: number
}

export interface FileEnd {
  passed: number
  failed: number
  /** Seconds. */
  processor: number
  /** Why the file fails in addition to its assertions; null when it does not. */
  trouble: string | null
  /** Bytes that the process uses. */
  memory: number
}

export interface SharedOptions {
  /** Absolute folder of the compiled modules. */
  folder: string
  /** Arguments of node, with the module of the process. */
  nodeArguments: readonly string[]
  environment: NodeJS.ProcessEnv
  /** Limits in seconds, of the tests of a file together, and of a file. */
  patience: { test: number; file: number }
  /** Processes to kill if the run is interrupted. */
  running: Set<ChildProcess>
}

/** Runs one file at a time. Starts its process at the first file, and another one after a failure. */
export class SharedProcess {
  private readonly options: SharedOptions
  private child: ChildProcess | null = null
  private lines: string[] = []
  /** Gets the end of the file, or how the process ended before it. */
  private onEnd: ((end: FileEnd | string) => void) | null = null

  constructor(options: SharedOptions) {
    this.options = options
  }

  async run(source: string, module: string): Promise<Ended> {
    const started = performance.now()
    const { patience, folder } = this.options
    const child = this.child ?? this.start()
    this.lines = []
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      killGroup(child)
    }, patience.file * 1000)
    const end = await new Promise<FileEnd | string>((resolve) => {
      this.onEnd = (ending) => resolve(isLate ? `ended after ${patience.file} s` : ending)
      child.send({ source, module: resolvePath(module), folder, timeoutMs: patience.test * 1000 } satisfies FileStart)
    })
    clearTimeout(timer)
    this.onEnd = null
    const seconds = (performance.now() - started) / 1000
    if (typeof end === 'string') {
      this.child = null
      killGroup(child)
      return { name: source, seconds, lines: this.lines, trouble: end }
    }
    const isFailed = end.failed > 0 || end.trouble !== null
    if (isFailed || end.memory > MAX_MEMORY) await this.close()
    return { name: source, seconds, lines: fileLines(this.lines, end), trouble: end.trouble }
  }

  /** Ends the process, which may write its coverage meanwhile. */
  async close(): Promise<void> {
    const { child } = this
    this.child = null
    if (child === null || !child.connected) return
    await new Promise<void>((resolve) => {
      // Not `close`, which does not come after `disconnect`.
      child.once('exit', () => resolve())
      child.disconnect()
    })
  }

  private start(): ChildProcess {
    const { nodeArguments, environment, running } = this.options
    const child = spawn(process.execPath, ['--preserve-symlinks', ...nodeArguments], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      // Leads a process group, so that its child processes can be ended with it.
      detached: true,
      // Of a file, not of the process.
      env: { ...environment, TAP_TIMEOUT: '0' },
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    child.on('error', (error) => this.onEnd?.(String(error)))
    child.once('close', (code, signal) => {
      if (this.child === child) this.onEnd?.(`exit ${signal ?? code}`)
    })
    const output = child.stdout
    if (output === null) throw new Error('the process of several files has no output')
    createInterface({ input: output }).on('line', (line) => {
      const end = END_LINE.exec(line)
      if (end?.[1] === undefined) this.lines.push(line)
      else this.onEnd?.(JSON.parse(end[1]))
    })
    this.child = child
    return child
  }
}

/** The output of a file as if it had run alone. */
function fileLines(lines: readonly string[], { passed, failed, processor }: FileEnd): string[] {
  return [
    ...lines.map((line) => line.replace(/^ {4}/, '')),
    `# { total: ${passed + failed}, pass: ${passed}, fail: ${failed} }`,
    `# processor time: ${processor.toFixed(2)} s`,
  ]
}
