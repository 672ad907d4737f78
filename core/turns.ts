// Runs work in order, one at a time: statements on one connection, whose driver's own queue is deprecated, or
// computations of which only one may run.
export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  #unfinished = 0

  /** Number of tasks that run or wait. At most one runs. */
  get unfinished(): number {
    return this.#unfinished
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
