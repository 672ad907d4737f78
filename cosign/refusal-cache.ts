// Caches recent refusals: a repeated request gets the same answer without a query to the database or the node. Counters
// only grow within their hour or day, so a limit that is reached stays reached until the hour or the day ends.
import { LRUCache } from '../core/cache.ts'

const MAX_ENTRIES = 10_000
const HOUR = 3_600_000

export class RefusalCache<T> {
  private readonly answers = new LRUCache<string, { until: number; answer: T }>({ max: MAX_ENTRIES })
  private readonly lifetime: number

  /** @param lifetime  lifetime of a cached refusal, ms */
  constructor(lifetime = 1000) {
    this.lifetime = lifetime
  }

  /** @param key  identifies the limit that was reached, or the refused transaction @param now  Unix milliseconds */
  get(key: string, now: number): T | undefined {
    const found = this.answers.get(key)
    return found !== undefined && now < found.until ? found.answer : undefined
  }

  /** Expires at the end of the hour at the latest: the next hour has its own counters. */
  add(key: string, answer: T, now: number): void {
    this.answers.set(key, { until: Math.min(now + this.lifetime, (Math.floor(now / HOUR) + 1) * HOUR), answer })
  }
}
