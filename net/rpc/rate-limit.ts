// Spaces requests so that no second sees more of them than an endpoint allows. A batch counts as many as it holds.
import { setTimeout as delay } from 'node:timers/promises'

export class RateLimit {
  readonly #perSecond: number
  /** When the next request may leave, milliseconds of the process's clock. */
  #free = 0

  /** @param perSecond  0: no limit */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Requests that go in one batch at most: what a second allows. */
  get largest(): number {
    return this.#perSecond === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(this.#perSecond))
  }

  /** Waits until `count` requests may leave; wakes up on `signal`, without an error. */
  async take(count: number, signal: AbortSignal): Promise<void> {
    if (this.#perSecond === 0) return
    const now = performance.now()
    const at = Math.max(now, this.#free)
    this.#free = at + (count * 1000) / this.#perSecond
    if (at > now) await delay(at - now, undefined, { signal }).catch(() => {})
  }
}
