// The order of a list, kept up with the market: of the items that a block touches alone the keys are computed anew.
import { perObject } from '../../core/cache.ts'
import { IncrementalView, IncrementalViews } from '../lists/incremental-view.ts'
import type { Changes } from '../market/advance.ts'
import type { LiveMarket } from '../market/live-market.ts'
import type { MarketState } from '../market/model.ts'

export type Direction = 'asc' | 'desc'
type Id = number | string

/** What a list is sorted by. */
export interface Sorting<Item> {
  /** All items of the list. */
  items(state: MarketState): ReadonlyMap<Id, Item>
  /** Items whose key a step may have changed; null when that may be any. May name some that are not there. */
  touched(state: MarketState, changes: Changes): Iterable<Id> | null
  /** Finite. */
  key(item: Item): number
  /** Tells items of one key apart, ascending whatever the direction. */
  tie(item: Item): Id
  /** What keys depend on beside the market. */
  beside?: Beside
}

export interface Beside {
  /** Another one than before when it is another. */
  value: unknown
  /** Items whose keys depend on it; null for all. */
  ids: Iterable<Id> | null
}

/** The items of a list in their order. Valid until the caller awaits something. */
export interface Ranked<Item> {
  readonly length: number
  /** Those from one place up to another. */
  slice(from: number, before: number): Item[]
  /** Those of some items that are in the list. */
  some(items: ReadonlySet<Item>): Item[]
}

interface Entry<Item> {
  item: Item
  key: number
  tie: Id
}

/** So many are put in their places one by one; more are sorted all together. */
const FEW = 100
/** Of fewer items than this share of the list the order is made by sorting them. */
const RARE = 1 / 16

class Ranking<Item> extends IncrementalView<Id, Item> {
  private readonly entries = new Map<Id, Entry<Item>>()
  /** Greatest key first. Not valid while `loose`. */
  private sorted: Entry<Item>[] = []
  /** Whether entries wait to be sorted all together. */
  private loose = false
  /** As asked for last; null when the state may be another one since. */
  private sorting: Sorting<Item> | null = null
  private beside: Beside | undefined

  get length(): number {
    return this.sorted.length
  }

  override follow(state: MarketState, changes: Changes | null): void {
    super.follow(state, changes)
    if (changes === null) this.sorting = null
  }

  /** Puts everything in order. */
  bring(state: MarketState, sorting: Sorting<Item>): void {
    const { beside } = sorting
    if (beside?.value !== this.beside?.value) {
      // Those that it spoke of before, too.
      this.openUp(this.beside?.ids ?? null)
      this.openUp(beside?.ids ?? null)
      this.beside = beside
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
    this.loose ||= count > FEW
  }

  protected look(_state: MarketState, id: Id, item: Item | undefined): void {
    const sorting = this.sorting as Sorting<Item>
    const entry = this.entries.get(id)
    const key = item === undefined ? Number.NaN : sorting.key(item)
    if (entry !== undefined && entry.item === item && entry.key === key) return
    if (entry !== undefined) {
      this.entries.delete(id)
      if (!this.loose) this.sorted.splice(this.placeOf(entry), 1)
    }
    if (item === undefined) return
    const made = { item, key, tie: sorting.tie(item) }
    this.entries.set(id, made)
    if (!this.loose) this.sorted.splice(this.placeOf(made), 0, made)
  }

  protected override end(): void {
    if (this.loose) this.sorted = [...this.entries.values()].sort(compare)
    this.loose = false
  }

  slice(from: number, before: number, direction: Direction): Item[] {
    const end = Math.min(before, this.length)
    if (direction === 'desc') return this.sorted.slice(from, end).map(({ item }) => item)
    const items: Item[] = []
    // From the other end, but those of one key in the order that they have.
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
    if (sorting === null || items.size > this.length * RARE)
      return this.slice(0, this.length, direction).filter((item) => items.has(item))
    const found = [...items].map((item) => ({ item, key: sorting.key(item), tie: sorting.tie(item) }))
    const sign = direction === 'desc' ? 1 : -1
    return found.sort((x, y) => sign * (y.key - x.key) || compareTies(x, y)).map(({ item }) => item)
  }

  /** The places of the entries whose key is that of a place: the first of them, and the one behind the last. */
  private equalTo(place: number): [first: number, next: number] {
    const { key } = this.sorted[place] as Entry<Item>
    return [this.firstWhere((entry) => entry.key <= key), this.firstWhere((entry) => entry.key < key)]
  }

  private placeOf(entry: Entry<Item>): number {
    return this.firstWhere((one) => compare(one, entry) >= 0)
  }

  /** The first place where something holds that holds from there on. */
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

/** Their names are ours: so many that none is given up. */
const MAX_ENTRIES = 1000

const rankingsOf = perObject((market: LiveMarket) => new IncrementalViews<Ranking<unknown>>(market, MAX_ENTRIES))

/** @param name  tells the orders of a market apart: the same name means the same sorting, whatever the direction */
export function ranked<Item>(
  market: LiveMarket,
  state: MarketState,
  name: string,
  direction: Direction,
  sorting: Sorting<Item>,
): Ranked<Item> {
  const ranking = rankingsOf(market).of(state, name, () => new Ranking()) as Ranking<Item>
  ranking.bring(state, sorting)
  return {
    length: ranking.length,
    slice: (from, before) => ranking.slice(from, before, direction),
    some: (items) => ranking.some(items, direction),
  }
}
