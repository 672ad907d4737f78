// Delays between attempts: exponential, jittered, reset by progress.
import { setTimeout as delay } from 'node:timers/promises'

export class Backoff {
  readonly #first: number
  readonly #longest: number
  readonly #spread: number
  #failures = 0

  /**
   * @param first    delay after the first failure, milliseconds
   * @param longest  limit of the delay, milliseconds
   * @param spread   attempts that share a delay (as many as there are addresses to try)
   */
  constructor(first: number, longest: number, spread: number) {
    this.#first = first
    this.#longest = longest
    this.#spread = spread
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** Milliseconds to wait after one more failure: half of it fixed, half random. */
  failed(): number {
    const full = Math.min(this.#longest, this.#first * 2 ** Math.min(20, Math.floor(this.#failures / this.#spread)))
    this.#failures++
    return full / 2 + (Math.random() * full) / 2
  }

  /** Sleeps after a failure; wakes up at once on `signal`, without an error. */
  async pause(signal: AbortSignal): Promise<void> {
    await delay(this.failed(), undefined, { signal }).catch(() => {})
  }
}
