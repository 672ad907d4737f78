// Simulates the one thread in which a node serves all its state-history sessions: each block occupies the thread for
// some time, so more sessions are not faster.
import { setTimeout as delay } from 'node:timers/promises'

/** Shortest wait, ms: timers are not more precise. */
const STEP_MS = 4

export class ServingThread {
  /** Time for which a block occupies the thread, ms. */
  readonly #blockMs: number
  /** `performance.now()` at which the scheduled work ends. */
  #busyUntil = 0
  #turn: Promise<void> = Promise.resolve()

  /** @param blockMs  0: no simulated time */
  constructor(blockMs: number) {
    this.#blockMs = blockMs
  }

  /** Waits until the thread is free, then occupies it for the time of a block. */
  serve(): Promise<void> {
    if (this.#blockMs === 0) return Promise.resolve()
    this.#turn = this.#turn.then(async () => {
      const now = performance.now()
      this.#busyUntil = Math.max(this.#busyUntil, now) + this.#blockMs
      if (this.#busyUntil - now > STEP_MS) await delay(this.#busyUntil - now)
    })
    return this.#turn
  }
}
