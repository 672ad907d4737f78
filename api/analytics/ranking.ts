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

class Ranking<Item> {
  private readonly sign: 1 | -1
  private readonly entries = new Map<Id, Entry<Item>>()
  private ordered: readonly Item[] = []
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
    let isSorted = true
    for (const id of ids) if (this.look(id, items.get(id), sorting)) isSorted = false
    this.open = new Set()
    if (!isSorted) {
      const { sign } = this
      const entries = [...this.entries.values()]
      entries.sort((x, y) => sign * (x.key - y.key) || (x.tie < y.tie ? -1 : x.tie > y.tie ? 1 : 0))
      // The next sort begins with this order.
      this.entries.clear()
      for (const entry of entries) this.entries.set(entry.tie, entry)
      this.ordered = entries.map(({ item }) => item)
    }
    return this.ordered
  }

  /** @returns whether the order may be another one now */
  private look(id: Id, item: Item | undefined, sorting: Sorting<Item>): boolean {
    const entry = this.entries.get(id)
    if (item === undefined) return this.entries.delete(id)
    const key = sorting.key(item)
    if (entry !== undefined && entry.item === item && entry.key === key) return false
    this.entries.set(id, { item, key, tie: sorting.tie(item) })
    return true
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
 * The items of a list in their order. The id of an item is what tells it apart, too.
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
