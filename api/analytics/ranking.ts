// The order of a list, kept from block to block: keys are computed again for those items alone that have changed, and an
// order that is nearly right is soon put right.
import type { LiveMarket } from '../market/live-market.ts'
import type { BlockMark, MarketState } from '../market/model.ts'

export type Direction = 'asc' | 'desc'

/** What a list is sorted by. */
export interface Sorting<Item> {
  /** All items of the list. */
  items(state: MarketState): ReadonlyMap<number | string, Item>
  /** Another value or object than before whenever the key may be another one. */
  mark(item: Item): unknown
  /** Finite. */
  key(item: Item): number
  /** Tells items of one key apart, ascending whatever the direction. */
  tie(item: Item): number | string
  /** What keys depend on beside the block: another one than before when it is another. */
  beside?: unknown
}

interface Entry<Item> {
  item: Item
  mark: unknown
  key: number
  tie: number | string
}

class Ranking<Item> {
  private entries: Entry<Item>[] = []
  private ordered: readonly Item[] = []
  private byId = new Map<number | string, Entry<Item>>()
  private at: BlockMark | null = null
  private beside: unknown
  private readonly sign: 1 | -1

  constructor(direction: Direction) {
    this.sign = direction === 'asc' ? 1 : -1
  }

  order(state: MarketState, sorting: Sorting<Item>): readonly Item[] {
    if (state.at === this.at && sorting.beside === this.beside) return this.ordered
    this.at = state.at
    this.beside = sorting.beside
    const items = sorting.items(state)
    let isSorted = true
    if (!this.holds(items)) {
      this.byId = new Map(
        [...items].map(([id, item]) => [id, { item, mark: undefined, key: Number.NaN, tie: sorting.tie(item) }]),
      )
      this.entries = [...this.byId.values()]
      isSorted = false
    }
    for (const entry of this.entries) {
      const mark = sorting.mark(entry.item)
      if (mark === entry.mark) continue
      entry.mark = mark
      const key = sorting.key(entry.item)
      if (key === entry.key) continue
      entry.key = key
      isSorted = false
    }
    const { sign } = this
    if (isSorted) return this.ordered
    this.entries.sort((x, y) => sign * (x.key - y.key) || (x.tie < y.tie ? -1 : x.tie > y.tie ? 1 : 0))
    this.ordered = this.entries.map(({ item }) => item)
    return this.ordered
  }

  /** Whether the items are those that there were. A fork replaces items. */
  private holds(items: ReadonlyMap<number | string, Item>): boolean {
    if (items.size !== this.byId.size) return false
    for (const [id, item] of items) if (this.byId.get(id)?.item !== item) return false
    return true
  }
}

const markets = new WeakMap<LiveMarket, Map<string, Ranking<unknown>>>()

/**
 * The items of a list in their order.
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
  if (rankings === undefined) markets.set(market, (rankings = new Map()))
  const key = `${name} ${direction}`
  let ranking = rankings.get(key) as Ranking<Item> | undefined
  if (ranking === undefined) rankings.set(key, (ranking = new Ranking<Item>(direction)) as Ranking<unknown>)
  return ranking.order(state, sorting)
}
