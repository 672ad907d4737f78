// A list of the market's items as JSON, updated with the market.
import { perObject } from '../../core/cache.ts'
import type { Changes } from '../live-market/advance.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { MarketState } from '../live-market/model.ts'
import { IncrementalView, IncrementalViews } from './incremental-view.ts'
import { JsonList, type Rank } from './json-list.ts'

/** Definition of a list. The functions may read the state and nothing else. */
export interface ListOf<Id, Item> {
  /** Identifies the list within a market: the same key means the same list. */
  key: string
  /** Items that may be in the list. */
  items(state: MarketState): ReadonlyMap<Id, Item>
  /** Sort key of an item; null if the item is not in the list. */
  rank(state: MarketState, item: Item): Rank | null
  json(state: MarketState, item: Item): Buffer
  /** Items whose rank or JSON a step may have changed; null for all. May name items that do not exist. */
  touched(state: MarketState, changes: Changes): Iterable<Id> | null
}

/** Limit of cached lists of a market: their keys come from requests. */
const MAX_ENTRIES = 24

class LiveList<Id, Item> extends IncrementalView<Id, Item> {
  private readonly of: ListOf<Id, Item>
  private readonly list = new JsonList<Id>()

  constructor(of: ListOf<Id, Item>) {
    super()
    this.of = of
  }

  pieces(state: MarketState): Buffer[] {
    this.work(state, Number.POSITIVE_INFINITY)
    return this.list.pieces()
  }

  protected items(state: MarketState): ReadonlyMap<Id, Item> {
    return this.of.items(state)
  }

  protected ids(): Iterable<Id> {
    return this.list.ids()
  }

  protected touched(state: MarketState, changes: Changes): Iterable<Id> | null {
    return this.of.touched(state, changes)
  }

  protected recompute(state: MarketState, id: Id, item: Item | undefined): void {
    const rank = item === undefined ? null : this.of.rank(state, item)
    if (rank === null) this.list.remove(id)
    else this.list.put(id, rank, this.of.json(state, item as Item))
  }
}

const listsOf = perObject((market: LiveMarket) => new IncrementalViews<LiveList<unknown, unknown>>(market, MAX_ENTRIES))

function listOf<Id, Item>(of: ListOf<Id, Item>): LiveList<unknown, unknown> {
  return new LiveList(of) as unknown as LiveList<unknown, unknown>
}

/** The JSON array of a list as of the market's state, in pieces. */
export function listPieces<Id, Item>(market: LiveMarket, state: MarketState, of: ListOf<Id, Item>): Buffer[] {
  return listsOf(market)
    .of(state, of.key, () => listOf(of))
    .pieces(state)
}

/** Makes a list when the market is loaded, so that no request has to make all of it. */
export function prepareList<Id, Item>(market: LiveMarket, of: ListOf<Id, Item>): void {
  listsOf(market).prepare(of.key, listOf(of))
}
