// The order of a list, kept from block to block: a block says which items to look at again, and only their keys are
// computed anew. While an order is asked for that is done in small steps between requests, before somebody asks again.
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
/** Items that are looked at in one step between requests: about a millisecond. */
const STEP = 200
/** An order that nobody has asked for so long is left alone. */
const IDLE_MS = 60_000
/** Of fewer items than this share of the list the order is made by sorting them. */
const RARE = 1 / 16

class Ranking<Item> {
  asked = 0
  private readonly entries = new Map<Id, Entry<Item>>()
  /** Greatest key first. Not valid while `loose`. */
  private sorted: Entry<Item>[] = []
  /** Items to look at again; null for all. */
  private open: Set<Id> | null = null
  /** Whether entries wait to be sorted all together. */
  private loose = false
  /** As asked for last; null when the state may be another one since. */
  private sorting: Sorting<Item> | null = null
  private beside: Beside | undefined

  get length(): number {
    return this.sorted.length
  }

  /** @param changes  of a step to the state; null when everything may have changed */
  follow(state: MarketState, changes: Changes | null): void {
    const touched = changes === null || changes.everything ? null : (this.sorting?.touched(state, changes) ?? null)
    this.openUp(touched)
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
    this.asked = performance.now()
    this.work(state, Number.POSITIVE_INFINITY)
  }

  /** Looks at some items again. @returns whether there are more */
  work(state: MarketState, most: number): boolean {
    const { sorting } = this
    if (sorting === null) return false
    const items = sorting.items(state)
    this.open ??= new Set([...this.entries.keys(), ...items.keys()])
    this.loose ||= this.open.size > FEW
    let left = most
    for (const id of this.open) {
      if (left-- === 0) return true
      this.open.delete(id)
      this.look(id, items.get(id), sorting)
    }
    if (this.loose) this.sorted = [...this.entries.values()].sort(compare)
    this.loose = false
    return false
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

  private look(id: Id, item: Item | undefined, sorting: Sorting<Item>): void {
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

  private openUp(ids: Iterable<Id> | null): void {
    if (ids === null) this.open = null
    else if (this.open !== null) for (const id of ids) this.open.add(id)
  }
}

function compare(x: Entry<unknown>, y: Entry<unknown>): number {
  return y.key - x.key || compareTies(x, y)
}

function compareTies({ tie: x }: Entry<unknown>, { tie: y }: Entry<unknown>): number {
  return x < y ? -1 : x > y ? 1 : 0
}

class Rankings {
  private readonly all = new Map<string, Ranking<unknown>>()
  private readonly market: LiveMarket
  private working = false

  constructor(market: LiveMarket) {
    this.market = market
    market.listen((state, changes) => {
      for (const ranking of this.all.values()) ranking.follow(state, changes)
      this.work()
    })
  }

  of<Item>(name: string): Ranking<Item> {
    let ranking = this.all.get(name)
    if (ranking === undefined) this.all.set(name, (ranking = new Ranking()))
    return ranking as Ranking<Item>
  }

  /** One step of one order, and the rest after whatever waits meanwhile. */
  private work(): void {
    if (this.working) return
    this.working = true
    setImmediate(() => {
      this.working = false
      const { state } = this.market
      if (state === null) return
      const since = performance.now() - IDLE_MS
      for (const ranking of this.all.values())
        if (ranking.asked > since && ranking.work(state, STEP)) return void this.work()
    })
  }
}

const markets = new WeakMap<LiveMarket, Rankings>()

/** @param name  tells the orders of a market apart: the same name means the same sorting, whatever the direction */
export function ranked<Item>(
  market: LiveMarket,
  state: MarketState,
  name: string,
  direction: Direction,
  sorting: Sorting<Item>,
): Ranked<Item> {
  let rankings = markets.get(market)
  if (rankings === undefined) markets.set(market, (rankings = new Rankings(market)))
  const ranking = rankings.of<Item>(name)
  ranking.bring(state, sorting)
  return {
    length: ranking.length,
    slice: (from, before) => ranking.slice(from, before, direction),
    some: (items) => ranking.some(items, direction),
  }
}
