// The caches of a process, by what bounds them.
//
// - `perObject`: one value for each object, as long as the object lives.
// - `VersionedCache`: the same, computed again when a version changes.
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

/** Caches one value for each object, valid for one version of the value's inputs. */
export class VersionedCache<K extends object, V> {
  private readonly values = new WeakMap<K, { version: unknown; variant: unknown; value: V }>()

  /**
   * @param version  such as the block since which the object has not changed; compared by identity
   * @param variant  other inputs of the value besides the object; compared by identity
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
  /** Maximum number of entries. */
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

  /** The cached value, or the result of `load`. Callers that come while it runs share it. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const { maxAgeMs, now } = this.options
    const known = this.entries.get(key)
    if (known !== undefined && known.until > now()) return known.value
    const value = load()
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
