// Repeats requests that failed for a temporary reason: no connection, an overloaded or restarting server.
import { Backoff } from '../backoff.ts'
import { HttpError } from '../http.ts'
import { ObjectsUnreachable, tooLarge } from './errors.ts'

export interface Retries {
  /** Attempts at one request. Default: 7, over about 15 seconds. */
  attempts?: number
  /** Delay after the first failure, ms; it doubles with each further one. Default: 250. */
  firstDelayMs?: number
  /** Time without an answer, or without a further piece of it, ms. Default: 30,000. */
  idleMs?: number
}

export interface AttemptContext {
  address: string
  /** Empty for a list of files. */
  name: string
  retries: Retries
  signal?: AbortSignal
}

const ATTEMPTS = 7
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000
export const IDLE_MS = 30_000

/** A failed attempt that may be repeated. */
export class TemporaryFailure extends Error {}

/** Statuses of temporary failures. 501 is permanent: the server lacks a feature. */
export function isTemporary(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501)
}

/** Counts the attempts at one request. A request that made progress in between starts again. */
export class Attempts {
  readonly #context: AttemptContext
  #backoff: Backoff
  #failures = 0

  constructor(context: AttemptContext) {
    this.#context = context
    this.#backoff = new Backoff(context.retries.firstDelayMs ?? FIRST_DELAY_MS, MAX_DELAY_MS, 1)
  }

  progressed(): void {
    this.#failures = 0
    this.#backoff.succeeded()
  }

  /**
   * Waits before the next attempt.
   *
   * @throws ObjectsUnreachable after the last attempt; the error itself if it is permanent; the signal's reason
   */
  async failed(error: unknown): Promise<void> {
    const { signal, retries } = this.#context
    signal?.throwIfAborted()
    if (error instanceof HttpError && error.reason === 'too-large') throw error
    if (!(error instanceof HttpError || error instanceof TemporaryFailure)) throw error
    this.#failures++
    if (this.#failures >= (retries.attempts ?? ATTEMPTS))
      throw new ObjectsUnreachable(this.#context, `${error.message} (${this.#failures} attempts)`, error)
    await this.#backoff.pause(signal ?? new AbortController().signal)
    signal?.throwIfAborted()
  }
}

/** Runs one request until it succeeds. @throws as `Attempts.failed` */
export async function attempt<T>(context: AttemptContext, work: () => Promise<T>): Promise<T> {
  const attempts = new Attempts(context)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      await attempts.failed(error)
    }
  }
}

/** Gives the size limit of a read its code. */
export function withLimit(error: unknown, context: AttemptContext, maxBytes: number): unknown {
  return error instanceof HttpError && error.reason === 'too-large' ? tooLarge(context, maxBytes) : error
}
