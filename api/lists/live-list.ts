// A list of the market's items as JSON, kept up with the market: a block says which items to look at again, and only
// those are. While a list is asked for they are looked at in small steps between requests, before somebody asks again.
import type { Changes } from '../market/advance.ts'
import type { LiveMarket } from '../market/live-market.ts'
import type { MarketState } from '../market/model.ts'
import { JsonList, type Rank } from './json-list.ts'

/** What is in a list. The functions may read the state and nothing else. */
export interface ListOf<Id, Item> {
  /** Tells the lists of a market apart: the same key means the same list. */
  key: string
  /** Items among which those of the list are. */
  items(state: MarketState): ReadonlyMap<Id, Item>
  /** Where an item stands; null when it is not in the list. */
  rank(state: MarketState, item: Item): Rank | null
  json(state: MarketState, item: Item): Buffer
  /** Items whose rank or JSON a step may have changed; null when that may be any. May name some that are not there. */
  touched(state: MarketState, changes: Changes): Iterable<Id> | null
}

/** How long a step takes, an item more aside; milliseconds. */
const STEP_MS = 3
/** A list that nobody has asked for so long is left alone. */
const IDLE_MS = 60_000
/** Most lists of a market: what is in them comes from requests. */
const MOST = 24

class LiveList<Id, Item> {
  asked = 0
  private readonly of: ListOf<Id, Item>
  private readonly list = new JsonList<Id>()
  /** Items to look at again. */
  private readonly open: Set<Id>

  /** @param state  null before the market is loaded */
  constructor(of: ListOf<Id, Item>, state: MarketState | null) {
    this.of = of
    this.open = new Set(state === null ? [] : of.items(state).keys())
  }

  /** @param changes  of a step to the state; null when everything may have changed */
  follow(state: MarketState, changes: Changes | null): void {
    const touched = changes === null || changes.everything ? null : this.of.touched(state, changes)
    const ids = touched ?? [...this.list.ids(), ...this.of.items(state).keys()]
    for (const id of ids) this.open.add(id)
  }

  /** Looks at items again until a time of `performance.now()`. @returns whether there are more */
  work(state: MarketState, until: number): boolean {
    for (const id of this.open) {
      if (performance.now() > until) return true
      this.open.delete(id)
      const item = this.of.items(state).get(id)
      const rank = item === undefined ? null : this.of.rank(state, item)
      if (rank === null) this.list.remove(id)
      else this.list.put(id, rank, this.of.json(state, item as Item))
    }
    return false
  }

  pieces(state: MarketState): Buffer[] {
    this.work(state, Number.POSITIVE_INFINITY)
    return this.list.pieces()
  }
}

class LiveLists {
  /** Kept up whether asked for or not. */
  private readonly standing = new Map<string, LiveList<unknown, unknown>>()
  private readonly lists = new Map<string, LiveList<unknown, unknown>>()
  private readonly market: LiveMarket
  /** Steps that the lists have not heard of yet: those who wait for a block come before its lists. */
  private steps: (Changes | null)[] = []
  private working = false

  constructor(market: LiveMarket) {
    this.market = market
    market.listen((_, changes) => {
      this.steps.push(changes)
      this.work()
    })
  }

  stand<Id, Item>(of: ListOf<Id, Item>): void {
    const list = new LiveList(of, this.market.state) as LiveList<unknown, unknown>
    list.asked = Number.POSITIVE_INFINITY
    this.standing.set(of.key, list)
    this.work()
  }

  pieces<Id, Item>(state: MarketState, of: ListOf<Id, Item>): Buffer[] {
    const { key } = of
    this.follow(state)
    const standing = this.standing.get(key)
    if (standing !== undefined) return standing.pieces(state)
    const list = this.lists.get(key) ?? (new LiveList(of, state) as LiveList<unknown, unknown>)
    list.asked = performance.now()
    // The one asked for last goes to the end; the one that nobody has asked for longest is given up.
    this.lists.delete(key)
    this.lists.set(key, list)
    if (this.lists.size > MOST) this.lists.delete(this.lists.keys().next().value as string)
    return list.pieces(state)
  }

  /** What a step has touched is looked up when later ones may have come: what those have changed, they touch. */
  private follow(state: MarketState): void {
    for (const changes of this.steps.splice(0))
      for (const lists of [this.standing, this.lists]) for (const list of lists.values()) list.follow(state, changes)
  }

  /** One step of one list, and the rest after whatever waits meanwhile. */
  private work(): void {
    if (this.working) return
    this.working = true
    setImmediate(() => {
      this.working = false
      const { state } = this.market
      if (state === null) return
      this.follow(state)
      const now = performance.now()
      const asked = [...this.standing.values(), ...this.lists.values()].filter((list) => list.asked > now - IDLE_MS)
      if (asked.some((list) => list.work(state, now + STEP_MS))) this.work()
    })
  }
}

const markets = new WeakMap<LiveMarket, LiveLists>()

function listsOf(market: LiveMarket): LiveLists {
  let lists = markets.get(market)
  if (lists === undefined) markets.set(market, (lists = new LiveLists(market)))
  return lists
}

/** The JSON array of a list as of the market's state, in pieces. */
export function listPieces<Id, Item>(market: LiveMarket, state: MarketState, of: ListOf<Id, Item>): Buffer[] {
  return listsOf(market).pieces(state, of)
}

/** Has a list ready from the load of the market on, so that nobody's request has to make it as a whole. */
export function standList<Id, Item>(market: LiveMarket, of: ListOf<Id, Item>): void {
  listsOf(market).stand(of)
}
