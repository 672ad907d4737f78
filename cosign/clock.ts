// A clock that tests can replace.
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Calls `work` at a fixed interval. @returns a function that stops it */
  every(ms: number, work: () => void): () => void
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  every(ms, work) {
    const timer = setInterval(work, ms).unref()
    return () => clearInterval(timer)
  },
}
