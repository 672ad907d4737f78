// Spaces requests to keep an endpoint's limit per second. A batch counts as its number of requests.
import { setTimeout as delay } from 'node:timers/promises'

export class RateLimit {
  readonly #perSecond: number
  /** Time of the next request, `performance.now()`. */
  #free = 0

  /** @param perSecond  0: no limit */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Limit of requests in a batch: the limit of a second. */
  get largest(): number {
    return this.#perSecond === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(this.#perSecond))
  }

  /** Waits until `count` requests may be sent. Returns early when `signal` is aborted. */
  async take(count: number, signal: AbortSignal): Promise<void> {
    if (this.#perSecond === 0) return
    const now = performance.now()
    const at = Math.max(now, this.#free)
    this.#free = at + (count * 1000) / this.#perSecond
    if (at > now) await delay(at - now, undefined, { signal }).catch(() => {})
  }
}
