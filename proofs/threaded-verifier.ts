// Verifies certificates one by one in a separate thread. The thread starts with the first certificate, and starts again
// with the next certificate after a failure. An idle thread does not keep the process alive.
import { Worker } from 'node:worker_threads'
import { RetryableError } from '../core/errors.ts'
import { submitRootArguments } from './build.ts'
import { certificateVerifier } from './certificates.ts'
import type { Verifier } from './certified-block.ts'
import type { rootProblem } from './check.ts'

export interface VerifierRequest {
  id: number
  arguments: Parameters<typeof rootProblem>
}

export interface VerifierAnswer {
  id: number
  isValid: boolean
}

interface Waiting {
  resolve(isValid: boolean): void
  reject(error: Error): void
}

/**
 * Makes a verifier that does not block this thread. Its promises reject with RetryableError VERIFIER_THREAD if the thread
 * fails.
 */
export function threadedVerifier(): Verifier {
  const thread = new VerifierThread()
  return certificateVerifier((certified) => thread.verify([submitRootArguments(certified), certified.active.policy]))
}

class VerifierThread {
  #worker: Worker | null = null
  #next = 0
  readonly #waiting = new Map<number, Waiting>()

  verify(problemArguments: VerifierRequest['arguments']): Promise<boolean> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, arguments: problemArguments } satisfies VerifierRequest)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./verifier-thread.js', import.meta.url), { name: 'certificates' })
    worker.on('message', ({ id, isValid }: VerifierAnswer) => {
      this.#waiting.get(id)?.resolve(isValid)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) worker.unref()
    })
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => this.#fail(new Error('the thread has ended')))
    return worker
  }

  #fail(cause: Error): void {
    this.#worker = null
    const error = new RetryableError(
      'VERIFIER_THREAD',
      `the thread that verifies certificates failed: ${cause.message}`,
      {
        hint: 'repeat the request: the thread starts again with it',
        cause,
      },
    )
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
