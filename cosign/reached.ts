// Refusals of a moment ago: who goes on asking gets the same one, without a question to the database or the node. Counters
// only grow within their hour or day, so that a limit that is reached stays so until then.
import { LRUCache } from '../core/cache.ts'

const MAX_ENTRIES = 10_000
const HOUR = 3_600_000

export class Reached<T> {
  private readonly kept = new LRUCache<string, { until: number; answer: T }>({ max: MAX_ENTRIES })
  private readonly believed: number

  /** @param believed  milliseconds for which a refusal holds; then it is found out once more */
  constructor(believed = 1000) {
    this.believed = believed
  }

  /** @param key  whose limit, or which transaction @param now  Unix milliseconds */
  get(key: string, now: number): T | undefined {
    const found = this.kept.get(key)
    return found !== undefined && now < found.until ? found.answer : undefined
  }

  /** Not beyond the hour: another one has counters of its own. */
  add(key: string, answer: T, now: number): void {
    this.kept.set(key, { until: Math.min(now + this.believed, (Math.floor(now / HOUR) + 1) * HOUR), answer })
  }
}
