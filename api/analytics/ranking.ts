// Sorted lists, updated with the market: only the keys of items that a block touches are computed again.
import { perObject } from '../../core/cache.ts'
import { IncrementalView, IncrementalViews } from '../lists/incremental-view.ts'
import type { Changes } from '../live-market/advance.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { MarketState } from '../live-market/model.ts'

export type Direction = 'asc' | 'desc'
type Id = number | string

/** The definition of a sorted list. */
export interface Sorting<Item> {
  /** All items of the list. */
  items(state: MarketState): ReadonlyMap<Id, Item>
  /** Items whose key a step may have changed; null for all. May name items that do not exist. */
  touched(state: MarketState, changes: Changes): Iterable<Id> | null
  /** Sort key; must be finite. */
  key(item: Item): number
  /** Second sort key, ascending in both directions. */
  tie(item: Item): Id
  /** Inputs of keys that are not in the market. */
  external?: ExternalInput
}

interface ExternalInput {
  /** Compared by identity: another object means another value. */
  value: unknown
  /** Items whose keys depend on the value; null for all. */
  ids: Iterable<Id> | null
}

/** A sorted list. Valid until the caller's next `await`. */
export interface Ranked<Item> {
  readonly length: number
  /** Items of the index range [from, before). */
  slice(from: number, before: number): Item[]
  /** The given items that are in the list, sorted. */
  some(items: ReadonlySet<Item>): Item[]
}

interface Entry<Item> {
  item: Item
  key: number
  tie: Id
}

/** Up to this many changed items are moved one by one; with more, the whole list is sorted. */
const MAX_MOVES = 100
/** Up to this share of the list, selected items are sorted; with more, the sorted list is filtered. */
const SORT_SHARE = 1 / 16

class Ranking<Item> extends IncrementalView<Id, Item> {
  private readonly entries = new Map<Id, Entry<Item>>()
  /** Largest key first. Not valid while `isUnsorted`. */
  private sorted: Entry<Item>[] = []
  /** Whether the whole list has to be sorted. */
  private isUnsorted = false
  /** The last requested sorting; null once the state may have been replaced. */
  private sorting: Sorting<Item> | null = null
  private external: ExternalInput | undefined

  get length(): number {
    return this.sorted.length
  }

  override follow(state: MarketState, changes: Changes | null): void {
    super.follow(state, changes)
    if (changes === null) this.sorting = null
  }

  /** Updates the whole list. */
  update(state: MarketState, sorting: Sorting<Item>): void {
    const { external } = sorting
    if (external?.value !== this.external?.value) {
      // Items that the previous value covered may change as well.
      this.enqueue(this.external?.ids ?? null)
      this.enqueue(external?.ids ?? null)
      this.external = external
    }
    this.sorting = sorting
    this.work(state, Number.POSITIVE_INFINITY)
  }

  protected items(state: MarketState): ReadonlyMap<Id, Item> | null {
    return this.sorting?.items(state) ?? null
  }

  protected ids(): Iterable<Id> {
    return this.entries.keys()
  }

  protected touched(state: MarketState, changes: Changes): Iterable<Id> | null {
    return this.sorting?.touched(state, changes) ?? null
  }

  protected override begin(count: number): void {
    this.isUnsorted ||= count > MAX_MOVES
  }

  protected recompute(_state: MarketState, id: Id, item: Item | undefined): void {
    const sorting = this.sorting as Sorting<Item>
    const entry = this.entries.get(id)
    const key = item === undefined ? Number.NaN : sorting.key(item)
    if (entry !== undefined && entry.item === item && entry.key === key) return
    if (entry !== undefined) {
      this.entries.delete(id)
      if (!this.isUnsorted) this.sorted.splice(this.placeOf(entry), 1)
    }
    if (item === undefined) return
    const made = { item, key, tie: sorting.tie(item) }
    this.entries.set(id, made)
    if (!this.isUnsorted) this.sorted.splice(this.placeOf(made), 0, made)
  }

  protected override end(): void {
    if (this.isUnsorted) this.sorted = [...this.entries.values()].sort(compare)
    this.isUnsorted = false
  }

  slice(from: number, before: number, direction: Direction): Item[] {
    const end = Math.min(before, this.length)
    if (direction === 'desc') return this.sorted.slice(from, end).map(({ item }) => item)
    const items: Item[] = []
    // Reads from the end. Items with equal keys stay in ascending order of `tie`.
    for (let place = from; place < end; ) {
      const [first, next] = this.equalTo(this.length - 1 - place)
      const start = first + place - (this.length - next)
      const stop = Math.min(next, start + end - place)
      for (let i = start; i < stop; i++) items.push((this.sorted[i] as Entry<Item>).item)
      place += stop - start
    }
    return items
  }

  some(items: ReadonlySet<Item>, direction: Direction): Item[] {
    const { sorting } = this
    if (sorting === null || items.size > this.length * SORT_SHARE)
      return this.slice(0, this.length, direction).filter((item) => items.has(item))
    const found = [...items].map((item) => ({ item, key: sorting.key(item), tie: sorting.tie(item) }))
    const sign = direction === 'desc' ? 1 : -1
    return found.sort((x, y) => sign * (y.key - x.key) || compareTies(x, y)).map(({ item }) => item)
  }

  /** Index range [first, next) of entries with the same key as the one at `place`. */
  private equalTo(place: number): [first: number, next: number] {
    const { key } = this.sorted[place] as Entry<Item>
    return [this.firstWhere((entry) => entry.key <= key), this.firstWhere((entry) => entry.key < key)]
  }

  private placeOf(entry: Entry<Item>): number {
    return this.firstWhere((one) => compare(one, entry) >= 0)
  }

  /** First index where a predicate holds that stays true from there on (binary search). */
  private firstWhere(holds: (entry: Entry<Item>) => boolean): number {
    let [low, high] = [0, this.sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(this.sorted[middle] as Entry<Item>)) high = middle
      else low = middle + 1
    }
    return low
  }
}

function compare(x: Entry<unknown>, y: Entry<unknown>): number {
  return y.key - x.key || compareTies(x, y)
}

function compareTies({ tie: x }: Entry<unknown>, { tie: y }: Entry<unknown>): number {
  return x < y ? -1 : x > y ? 1 : 0
}

/** Names come from our code, not from requests: the limit is high enough that nothing is evicted. */
const MAX_ENTRIES = 1000

const rankingsOf = perObject((market: LiveMarket) => new IncrementalViews<Ranking<unknown>>(market, MAX_ENTRIES))

/** @param name  identifies a sorting within a market; the same for both directions */
export function ranked<Item>(
  market: LiveMarket,
  state: MarketState,
  name: string,
  direction: Direction,
  sorting: Sorting<Item>,
): Ranked<Item> {
  const ranking = rankingsOf(market).of(state, name, () => new Ranking()) as Ranking<Item>
  ranking.update(state, sorting)
  return {
    length: ranking.length,
    slice: (from, before) => ranking.slice(from, before, direction),
    some: (items) => ranking.some(items, direction),
  }
}
