// Makes the rows of one range after the other in a thread, while this one copies the rows of others. The thread starts
// with the first range.
import { Worker } from 'node:worker_threads'
import { BugError, DecodeError, type ErrorPlace, HeadwaterError, UserError } from '../../core/errors.ts'
import type { HeaderRows, RowsTask } from './make-rows.ts'

/** The error of a task, as it goes from one thread to another. */
export interface Failure {
  name: string
  code: string
  message: string
  hint: string | undefined
  place: ErrorPlace
}

export type ToRowsThread = { task: RowsTask } | { piece: Uint8Array | null }
export type FromRowsThread = 'next' | { rows: HeaderRows } | { failure: Failure }

export function failureOf({ name, code, message, hint, place }: HeadwaterError): Failure {
  return { name, code, message, hint, place }
}

const FAMILIES = [UserError, DecodeError, BugError]

function errorOf({ name, code, message, ...options }: Failure): HeadwaterError {
  const Family = FAMILIES.find((family) => family.name === name) ?? HeadwaterError
  return new Family(code, message, options)
}

/** The pieces of a file, each read before it is wanted: a stream that nobody reads would end the process with its error. */
class Pieces {
  readonly #iterator: AsyncIterator<Uint8Array>
  #ahead: Promise<IteratorResult<Uint8Array>>

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#iterator = pieces[Symbol.asyncIterator]()
    this.#ahead = this.#read()
  }

  /** @returns null at the end */
  async next(): Promise<Uint8Array | null> {
    const { done, value } = await this.#ahead
    if (done) return null
    this.#ahead = this.#read()
    return value
  }

  #read(): Promise<IteratorResult<Uint8Array>> {
    const ahead = this.#iterator.next()
    // Thrown by `next`.
    ahead.catch(() => {})
    return ahead
  }
}

/** A task whose rows are being made. */
interface Current {
  pieces: Pieces
  resolve(rows: HeaderRows): void
  reject(error: unknown): void
}

export class RowsThread {
  #worker: Worker | null = null
  #current: Current | null = null

  /** As `makeRows`, in the thread. One call at a time. @throws BugError ROWS_THREAD when the thread fails */
  async make(pieces: AsyncIterable<Uint8Array>, task: RowsTask): Promise<HeaderRows> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    try {
      return await new Promise<HeaderRows>((resolve, reject) => {
        this.#current = { pieces: new Pieces(pieces), resolve, reject }
        worker.postMessage({ task } satisfies ToRowsThread)
      })
    } catch (error) {
      // It may wait for a piece of this file.
      await this.close()
      throw error
    } finally {
      this.#current = null
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./rows-thread.js', import.meta.url), { name: 'rows of a pack' })
    const fail = (cause: Error) => this.#current?.reject(threadFailed(cause))
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('it has ended')))
    worker.on('message', (message: FromRowsThread) => {
      const { pieces, resolve, reject } = this.#current ?? {}
      if (message === 'next') pieces?.next().then((piece) => send(worker, piece), reject)
      else if ('rows' in message) resolve?.(message.rows)
      else reject?.(errorOf(message.failure))
    })
    return worker
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }
}

function send(worker: Worker, piece: Uint8Array | null): void {
  worker.postMessage({ piece } satisfies ToRowsThread)
}

function threadFailed(cause: Error): BugError {
  return new BugError('ROWS_THREAD', `the thread that makes rows of a pack failed: ${cause.message}`, { cause })
}
