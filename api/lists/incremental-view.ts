// Keeps what is made of the market's items up with the market: a block says which items to look at again, and only those
// are. While something is asked for that is done in small steps between requests, before somebody asks again.
import { LRUCache } from '../../core/cache.ts'
import type { Changes } from '../market/advance.ts'
import type { LiveMarket } from '../market/live-market.ts'
import type { MarketState } from '../market/model.ts'
import { inTurn } from './turns.ts'

/** How long a step takes, an item more aside; milliseconds. */
const STEP_MS = 2
/** What nobody has asked for so long is left alone. */
const IDLE_MS = 60_000

/** Something made of items of the market, such as a list in its order. */
export abstract class IncrementalView<Id, Item> {
  /** When somebody asked for it last, by `performance.now()`. */
  asked = 0
  /** Items to look at again; null for all. */
  private open: Set<Id> | null = null

  /** Items among which those are that it is made of; null while nobody has said which. */
  protected abstract items(state: MarketState): ReadonlyMap<Id, Item> | null
  /** Ids of those that it is made of. */
  protected abstract ids(): Iterable<Id>
  /** Items that a step may have changed; null when that may be any. May name some that are not there. */
  protected abstract touched(state: MarketState, changes: Changes): Iterable<Id> | null
  /** @param item  undefined when it is no longer there */
  protected abstract look(state: MarketState, id: Id, item: Item | undefined): void
  /** Comes before so many items are looked at. */
  protected begin(_count: number): void {}
  /** Comes when all have been looked at. */
  protected end(): void {}

  /** @param changes  of a step to the state; null when everything may have changed */
  follow(state: MarketState, changes: Changes | null): void {
    this.openUp(changes === null || changes.everything ? null : this.touched(state, changes))
  }

  /** Has items looked at again. @param ids  null for all */
  protected openUp(ids: Iterable<Id> | null): void {
    if (ids === null) this.open = null
    else if (this.open !== null) for (const id of ids) this.open.add(id)
  }

  /** Looks at items again until a time of `performance.now()`. @returns whether there are more */
  work(state: MarketState, until: number): boolean {
    const items = this.items(state)
    if (items === null) return false
    this.open ??= new Set([...this.ids(), ...items.keys()])
    this.begin(this.open.size)
    for (const id of this.open) {
      if (performance.now() > until) return true
      this.open.delete(id)
      this.look(state, id, items.get(id))
    }
    this.end()
    return false
  }
}

/** As `IncrementalView` is, whatever its items are. */
interface Incremental {
  asked: number
  follow(state: MarketState, changes: Changes | null): void
  work(state: MarketState, until: number): boolean
}

/** All of one kind that is kept up with a market. */
export class IncrementalViews<Kept extends Incremental> {
  /** Kept up whether asked for or not. */
  private readonly standing = new Map<string, Kept>()
  private readonly others: LRUCache<string, Kept>
  private readonly market: LiveMarket
  /** Steps that nothing has heard of yet: those who wait for a block come first. */
  private steps: (Changes | null)[] = []
  private working = false

  /** @param most  so many are kept of those that come from requests */
  constructor(market: LiveMarket, most: number) {
    this.market = market
    this.others = new LRUCache({ max: most })
    market.listen((_, changes) => {
      this.steps.push(changes)
      this.work()
    })
  }

  stand(key: string, kept: Kept): void {
    this.standing.set(key, kept)
    this.work()
  }

  /** What is kept under a key as of the state, but for the items that are still to be looked at. */
  of(state: MarketState, key: string, make: () => Kept): Kept {
    this.follow(state)
    const standing = this.standing.get(key)
    if (standing !== undefined) return standing
    const kept = this.others.get(key) ?? make()
    kept.asked = performance.now()
    this.others.set(key, kept)
    return kept
  }

  /** What a step has touched is looked up when later ones may have come: what those have changed, they touch. */
  private follow(state: MarketState): void {
    for (const changes of this.steps.splice(0))
      for (const all of [this.standing, this.others]) for (const kept of all.values()) kept.follow(state, changes)
  }

  /** One step of one of them, and the rest after whatever waits meanwhile. */
  private work(): void {
    if (this.working) return
    this.working = true
    inTurn(() => (this.working = this.step()))
  }

  /** @returns whether there are more */
  private step(): boolean {
    const { state } = this.market
    if (state === null) return false
    this.follow(state)
    const now = performance.now()
    const asked = [...this.others.values()].filter((kept) => kept.asked > now - IDLE_MS)
    return [...this.standing.values(), ...asked].some((kept) => kept.work(state, now + STEP_MS))
  }
}
