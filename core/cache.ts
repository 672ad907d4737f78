// The kinds of caches, by their bounds.
//
// - `perObject`: one value per object, for the lifetime of the object.
// - `VersionedCache`: the same, recomputed when a version changes.
// - `LRUCache`: bounded by count or size. It evicts the least recently used entry.
// - `PromiseCache`: an LRU of values that are being fetched, with an age limit. A failure is not cached.
import { LRUCache } from 'lru-cache'

export { LRUCache }

/** Memoizes a function of one object. */
export function perObject<K extends object, V extends {}>(make: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>()
  return (key) => {
    let value = values.get(key)
    if (value === undefined) values.set(key, (value = make(key)))
    return value
  }
}

/** One value per object, valid for one version of its inputs. */
export class VersionedCache<K extends object, V> {
  private readonly values = new WeakMap<K, { version: unknown; variant: unknown; value: V }>()

  /**
   * @param version  for example the block in which the object last changed; compared by identity
   * @param variant  other inputs besides the object; compared by identity
   */
  get(key: K, version: unknown, variant: unknown, make: () => V): V {
    const known = this.values.get(key)
    if (known !== undefined && known.version === version && known.variant === variant) return known.value
    const value = make()
    this.values.set(key, { version, variant, value })
    return value
  }
}

export interface PromiseCacheOptions {
  /** Maximum entries. */
  max: number
  /** Age limit of an entry, ms. */
  maxAgeMs: number
  /** Clock, ms. */
  now: () => number
}

export class PromiseCache<T> {
  private readonly entries: LRUCache<string, { until: number; value: Promise<T> }>
  private readonly options: PromiseCacheOptions

  constructor(options: PromiseCacheOptions) {
    this.options = options
    this.entries = new LRUCache({ max: options.max })
  }

  /** The cached value, or the result of `fetch`. Callers during a fetch share it. */
  get(key: string, fetch: () => Promise<T>): Promise<T> {
    const { maxAgeMs, now } = this.options
    const known = this.entries.get(key)
    if (known !== undefined && known.until > now()) return known.value
    const value = fetch()
    this.entries.set(key, { until: now() + maxAgeMs, value })
    value.catch(() => {
      if (this.entries.peek(key)?.value === value) this.entries.delete(key)
    })
    return value
  }

  delete(key: string): void {
    this.entries.delete(key)
  }
}
