// Time, so that tests can have their own.
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Does work again and again. @returns what ends it */
  every(ms: number, work: () => void): () => void
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  every(ms, work) {
    const timer = setInterval(work, ms).unref()
    return () => clearInterval(timer)
  },
}
