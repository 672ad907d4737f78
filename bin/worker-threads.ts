// Workers of a backfill in threads of this process, which share its database and its log.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ChainConfig } from '../config/schema.ts'
import { BugError, type ErrorPlace, UserError } from '../core/errors.ts'
import type { Log } from './cli/log.ts'

export interface WorkerTask {
  chains: readonly ChainConfig[]
  databaseUrl: string
}

export type WorkerMessage =
  | { kind: 'log'; level: keyof Log; text: string; fields: Record<string, unknown> }
  | { kind: 'failed'; isUserError: boolean; code: string; message: string; hint?: string; place: ErrorPlace }

export class WorkerThreads {
  readonly #threads: readonly Worker[]
  readonly #log: Log
  readonly #failed: (error: Error) => void
  /** Never resolves; rejects with the error of the first thread that fails. */
  readonly failure: Promise<never>

  private constructor(count: number, task: WorkerTask, log: Log) {
    this.#log = log
    let failed: (error: Error) => void = () => {}
    this.failure = new Promise<never>((_, reject) => {
      failed = reject
    })
    // Prevents an unhandled rejection if a thread fails before the caller awaits `failure`.
    this.failure.catch(() => {})
    this.#failed = failed
    this.#threads = Array.from({ length: count }, (_, index) => this.#start(index + 1, task))
  }

  /** @param count  number of threads, at least 1 */
  static start(count: number, task: WorkerTask, log: Log): WorkerThreads {
    return new WorkerThreads(count, task, log)
  }

  /** Ends the threads. Ranges in work go back to the queue. */
  async stop(): Promise<void> {
    await Promise.all(
      this.#threads.map(async (thread) => {
        if (thread.threadId < 0) return
        thread.postMessage('stop')
        await once(thread, 'exit')
      }),
    )
  }

  #start(worker: number, workerData: WorkerTask): Worker {
    const thread = new Worker(new URL('./worker-thread.js', import.meta.url), { workerData, name: `worker ${worker}` })
    thread.on('message', (message: WorkerMessage) => {
      if (message.kind === 'log') this.#log[message.level](message.text, { ...message.fields, worker })
      else this.#failed(errorOf(message))
    })
    thread.on('error', this.#failed)
    return thread
  }
}

function errorOf({ isUserError, code, message, hint, place }: Extract<WorkerMessage, { kind: 'failed' }>): Error {
  return new (isUserError ? UserError : BugError)(code, message, { hint, place })
}
