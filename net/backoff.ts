// Back-off delays: exponential, with jitter, reset by success.
import { setTimeout as delay } from 'node:timers/promises'

export class Backoff {
  readonly #first: number
  readonly #longest: number
  readonly #spread: number
  #failures = 0

  /**
   * @param first    delay after the first failure, ms
   * @param longest  limit of the delay, ms
   * @param spread   number of attempts with the same delay, such as the number of addresses
   */
  constructor(first: number, longest: number, spread: number) {
    this.#first = first
    this.#longest = longest
    this.#spread = spread
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** Records a failure. @returns delay in ms: half of it fixed, half random */
  failed(): number {
    const full = Math.min(this.#longest, this.#first * 2 ** Math.min(20, Math.floor(this.#failures / this.#spread)))
    this.#failures++
    return full / 2 + (Math.random() * full) / 2
  }

  /** Records a failure and sleeps. Returns early when `signal` is aborted. */
  async pause(signal: AbortSignal): Promise<void> {
    await delay(this.failed(), undefined, { signal }).catch(() => {})
  }
}
