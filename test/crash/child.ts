// Starts and observes an indexer in a child process.
import { type ChildProcess, fork } from 'node:child_process'
import { childModule } from '../support/child-module.ts'
import type { ChildMessage, ChildOptions } from './indexer.ts'

export class Child {
  /** Ids of the committed blocks, in order. */
  readonly committed: string[] = []
  /** Codes of the errors that it reported. */
  readonly codes: string[] = []
  isOpen = false
  /** Signal or exit code of its end; undefined while it runs. */
  ended: NodeJS.Signals | number | undefined
  private readonly process: ChildProcess
  private readonly exit: Promise<void>

  constructor(options: ChildOptions) {
    const { file, execArgv } = childModule('./indexer.ts', import.meta.url)
    const env = { ...process.env }
    // Variables of the test runner would make the child run as a test.
    for (const name of Object.keys(env)) if (/^(TAP|_TAP|NODE_V8)/.test(name)) delete env[name]
    this.process = fork(file, [JSON.stringify(options)], { execArgv, env, stdio: 'inherit' })
    this.exit = new Promise((resolve) => {
      this.process.on('exit', (code, signal) => {
        this.ended = signal ?? code ?? 0
        resolve()
      })
    })
    this.process.on('message', (message: ChildMessage) => {
      if ('opened' in message) this.isOpen = true
      else if ('committed' in message) this.committed.push(message.committed)
      else this.codes.push(message.code)
    })
  }

  /** Kills it like a power cut, or waits for its own end. */
  async stop(signal?: 'SIGKILL'): Promise<void> {
    if (this.ended !== undefined) return
    if (signal) this.process.kill(signal)
    else if (this.process.connected) this.process.send('stop')
    await this.exit
  }

  /** SIGSTOP and SIGCONT: simulates a process that hangs without notice. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.process.kill(signal)
  }
}
