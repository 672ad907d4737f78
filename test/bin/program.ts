// Runs the program in a separate process, with a user's arguments.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { childModule } from '../support/child-module.ts'
import { until } from '../support/until.ts'

/** The program that bin/headwater.js starts. */
const { file, execArgv } = childModule('../../bin/main.ts', import.meta.url)

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  output: { stdout: string; stderr: string }
  /** Resolves when the process has ended. */
  outcome: Promise<Outcome>
}

/** Starts the program without this process's HEADWATER variables, and with Node's options of the tests. */
export function start(args: string[], env: Record<string, string> = {}): Running {
  const { PATH = '', HOME = '', NODE_OPTIONS = '' } = process.env
  const child = spawn(process.execPath, [...execArgv, file, ...args], {
    env: { PATH, HOME, NODE_OPTIONS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const outcome = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return { child, output, outcome }
}

export function run(args: string[], env?: Record<string, string>): Promise<Outcome> {
  return start(args, env).outcome
}

/** Waits for a line of JSON on standard error with this message. */
export async function logged(output: { stderr: string }, message: string): Promise<Record<string, unknown>> {
  const line = () => output.stderr.split('\n').find((text) => text.includes(`"msg":"${message}"`))
  await until(
    () => `a line ${message} in ${output.stderr}`,
    () => line() !== undefined,
    50,
  )
  return JSON.parse(line() ?? '')
}
