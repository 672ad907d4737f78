// Runs work on one connection in order. The driver's own queue is deprecated.
export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  #unfinished = 0

  /** Whether no work is running or waiting. */
  get isIdle(): boolean {
    return this.#unfinished === 0
  }

  /** Runs work after all earlier work, whether that succeeded or not. Do not call it within work. */
  take<T>(work: () => Promise<T>): Promise<T> {
    this.#unfinished++
    const own = this.#last.then(work).finally(() => {
      this.#unfinished--
    })
    this.#last = own.catch(() => {})
    return own
  }
}
