// A child process of the demo: its log lines go to the demo's log, and it is started again when it fails, as a
// supervisor such as systemd does.
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Backoff } from '../net/backoff.ts'
import type { Log } from './cli/log.ts'

/** First and longest delay before a child that failed is started again, ms. One that ran longer begins with the first. */
const RESTART_MS = [1000, 30_000] as const

export interface DemoChild {
  /** Prefix of its lines in the demo's log. */
  name: string
  start(): ChildProcess
  /** The stream with its log. */
  log: 'stdout' | 'stderr'
}

/** Starts a child process. @returns stops it */
export function keepDemoChild(child: DemoChild, log: Log): () => void {
  const backoff = new Backoff(...RESTART_MS, 1)
  let running: ChildProcess
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const start = () => {
    const began = performance.now()
    running = child.start()
    createInterface(running[child.log] as Readable).on('line', (line) => copy(line, child.name, log))
    running.once('exit', (code, signal) => {
      if (isStopped || code === 0) return
      if (performance.now() - began > RESTART_MS[1]) backoff.succeeded()
      const ms = Math.ceil(backoff.failed())
      log.warn(`the process of the demo's ${child.name} ended and starts again`, { code, signal, ms })
      timer = setTimeout(start, ms)
    })
  }
  start()
  return () => {
    isStopped = true
    clearTimeout(timer)
    running.kill('SIGTERM')
  }
}

/** Copies a line of a child's log. */
function copy(line: string, name: string, log: Log): void {
  try {
    type Line = { msg?: string; event?: string; level?: number; time: string }
    const { msg, event, level = 30, time: _, ...fields } = JSON.parse(line) as Line
    const write = level >= 50 ? log.error : level >= 40 ? log.warn : log.info
    write(`${name}: ${msg ?? event}`, fields)
  } catch {
    log.warn(`${name}: ${line}`)
  }
}
