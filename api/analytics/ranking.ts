// The order of a list, kept from block to block: a block says which items to look at again, and only their keys are
// computed anew. An order that is nearly right is soon put right.
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

interface Entry<Item> {
  item: Item
  key: number
  tie: Id
}

/** When so many are to be looked at, all are. */
const MANY = 1000
/** So many are put in their places one by one; more are sorted all together. */
const FEW = 100

class Ranking<Item> {
  private readonly sign: 1 | -1
  private readonly entries = new Map<Id, Entry<Item>>()
  /** In order, and their items beside them. */
  private sorted: Entry<Item>[] = []
  private ordered: Item[] = []
  /** Items to look at again; null for all. */
  private open: Set<Id> | null = null
  private touched: Sorting<Item>['touched']
  private beside: Beside | undefined

  constructor(direction: Direction, sorting: Sorting<Item>) {
    this.sign = direction === 'asc' ? 1 : -1
    this.touched = sorting.touched
  }

  /** @param changes  of a step to the state; null when everything may have changed */
  follow(state: MarketState, changes: Changes | null): void {
    if (this.open === null) return
    this.openUp(changes === null || changes.everything ? null : this.touched(state, changes))
  }

  order(state: MarketState, sorting: Sorting<Item>): readonly Item[] {
    const { beside } = sorting
    if (beside?.value !== this.beside?.value) {
      // Those that it spoke of before, too.
      this.openUp(this.beside?.ids ?? null)
      this.openUp(beside?.ids ?? null)
      this.beside = beside
    }
    const items = sorting.items(state)
    const ids = this.open ?? new Set([...this.entries.keys(), ...items.keys()])
    const isFew = ids.size <= FEW
    for (const id of ids) this.look(id, items.get(id), sorting, isFew)
    this.open = new Set()
    if (!isFew) {
      this.sorted = [...this.entries.values()].sort((x, y) => this.compare(x, y))
      this.ordered = this.sorted.map(({ item }) => item)
    }
    return this.ordered
  }

  /** @param isPlaced  whether it is put in its place at once */
  private look(id: Id, item: Item | undefined, sorting: Sorting<Item>, isPlaced: boolean): void {
    const entry = this.entries.get(id)
    const key = item === undefined ? Number.NaN : sorting.key(item)
    if (entry !== undefined && entry.item === item && entry.key === key) return
    if (entry !== undefined) {
      this.entries.delete(id)
      if (isPlaced) this.splice(entry, 1)
    }
    if (item === undefined) return
    const made = { item, key, tie: sorting.tie(item) }
    this.entries.set(id, made)
    if (isPlaced) this.splice(made, 0)
  }

  /** Takes an entry out of its place, or puts it there. */
  private splice(entry: Entry<Item>, taken: 0 | 1): void {
    let [low, high] = [0, this.sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.compare(this.sorted[middle] as Entry<Item>, entry) < 0) low = middle + 1
      else high = middle
    }
    const [entries, items] = taken === 1 ? [[], []] : [[entry], [entry.item]]
    this.sorted.splice(low, taken, ...entries)
    this.ordered.splice(low, taken, ...items)
  }

  private compare(x: Entry<Item>, y: Entry<Item>): number {
    return this.sign * (x.key - y.key) || (x.tie < y.tie ? -1 : x.tie > y.tie ? 1 : 0)
  }

  private openUp(ids: Iterable<Id> | null): void {
    if (this.open === null) return
    if (ids === null) this.open = null
    else for (const id of ids) this.open.add(id)
    if (this.open !== null && this.open.size > MANY) this.open = null
  }
}

class Rankings {
  private readonly all = new Map<string, Ranking<unknown>>()

  constructor(market: LiveMarket) {
    market.listen((state, changes) => {
      for (const ranking of this.all.values()) ranking.follow(state, changes)
    })
  }

  of<Item>(key: string, direction: Direction, sorting: Sorting<Item>): Ranking<Item> {
    const known = this.all.get(key)
    if (known !== undefined) return known as Ranking<Item>
    const made = new Ranking<Item>(direction, sorting)
    this.all.set(key, made as Ranking<unknown>)
    return made
  }
}

const markets = new WeakMap<LiveMarket, Rankings>()

/**
 * The items of a list in their order. Valid until the caller awaits something.
 *
 * @param name  tells the orders of a market apart: the same name means the same sorting
 */
export function ranked<Item>(
  market: LiveMarket,
  state: MarketState,
  name: string,
  direction: Direction,
  sorting: Sorting<Item>,
): readonly Item[] {
  let rankings = markets.get(market)
  if (rankings === undefined) markets.set(market, (rankings = new Rankings(market)))
  return rankings.of(`${name} ${direction}`, direction, sorting).order(state, sorting)
}
