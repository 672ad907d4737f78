// Views of the market that are updated incrementally: a block names the items to recompute, and only these are. A view
// with recent requests is updated in small steps between requests, before its next request.
import { LRUCache } from '../../core/cache.ts'
import { runSteps } from '../../core/scheduler.ts'
import type { Changes } from '../live-market/advance.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { MarketState } from '../live-market/model.ts'

/** Duration of a step, milliseconds; a step may exceed it by one item. */
const STEP_MS = 2
/** A view without a request for this long is not updated. */
const IDLE_MS = 60_000

/** A view of items of the market, such as a sorted list. */
export abstract class IncrementalView<Id, Item> {
  /** Time of the last request, by `performance.now()`. */
  lastRequest = 0
  /** Items to recompute; null for all. */
  private queue: Set<Id> | null = null

  /** Items that may be in the view; null while that is not yet defined. */
  protected abstract items(state: MarketState): ReadonlyMap<Id, Item> | null
  /** Ids of the items in the view. */
  protected abstract ids(): Iterable<Id>
  /** Items that a step may have changed; null for all. May name items that do not exist. */
  protected abstract touched(state: MarketState, changes: Changes): Iterable<Id> | null
  /** Recomputes an item. @param item  undefined if it no longer exists */
  protected abstract recompute(state: MarketState, id: Id, item: Item | undefined): void
  /** Called before `_count` items are recomputed. */
  protected begin(_count: number): void {}
  /** Called when all items have been recomputed. */
  protected end(): void {}

  /** @param changes  of a step to the state; null when everything may have changed */
  follow(state: MarketState, changes: Changes | null): void {
    this.enqueue(changes === null || changes.everything ? null : this.touched(state, changes))
  }

  /** Queues items to be recomputed. @param ids  null for all */
  protected enqueue(ids: Iterable<Id> | null): void {
    if (ids === null) this.queue = null
    else if (this.queue !== null) for (const id of ids) this.queue.add(id)
  }

  /** Recomputes queued items until a time of `performance.now()`. @returns whether more are queued */
  work(state: MarketState, until: number): boolean {
    const items = this.items(state)
    if (items === null) return false
    this.queue ??= new Set([...this.ids(), ...items.keys()])
    this.begin(this.queue.size)
    for (const id of this.queue) {
      if (performance.now() > until) return true
      this.queue.delete(id)
      this.recompute(state, id, items.get(id))
    }
    this.end()
    return false
  }
}

/** The part of `IncrementalView` that does not depend on its items. */
interface Incremental {
  lastRequest: number
  follow(state: MarketState, changes: Changes | null): void
  work(state: MarketState, until: number): boolean
}

/** All views of one kind on a market. */
export class IncrementalViews<View extends Incremental> {
  /** Views that are updated whether requested or not. */
  private readonly prepared = new Map<string, View>()
  private readonly others: LRUCache<string, View>
  private readonly market: LiveMarket
  /** Steps that no view has followed yet: requests that wait for a block go first. */
  private steps: (Changes | null)[] = []
  private working = false

  /** @param most  limit of the views made by requests; the least recently used is evicted */
  constructor(market: LiveMarket, most: number) {
    this.market = market
    this.others = new LRUCache({ max: most })
    market.listen((_, changes) => {
      this.steps.push(changes)
      this.work()
    })
  }

  /** Adds a view that always follows the market, before any request. */
  prepare(key: string, view: View): void {
    this.prepared.set(key, view)
    this.work()
  }

  /** The view under a key as of the state; items still in its queue may be outdated. */
  of(state: MarketState, key: string, make: () => View): View {
    this.follow(state)
    const prepared = this.prepared.get(key)
    if (prepared !== undefined) return prepared
    const view = this.others.get(key) ?? make()
    view.lastRequest = performance.now()
    this.others.set(key, view)
    return view
  }

  /**
   * Lets all views follow the pending steps. The state may be later than a step: its later changes are in later steps.
   */
  private follow(state: MarketState): void {
    for (const changes of this.steps.splice(0))
      for (const all of [this.prepared, this.others]) for (const view of all.values()) view.follow(state, changes)
  }

  /** Runs one step of one view; more steps follow after other waiting work. */
  private work(): void {
    if (this.working) return
    this.working = true
    runSteps(() => (this.working = this.step()))
  }

  /** @returns whether there is more to do */
  private step(): boolean {
    const { state } = this.market
    if (state === null) return false
    this.follow(state)
    const now = performance.now()
    const requested = [...this.others.values()].filter((view) => view.lastRequest > now - IDLE_MS)
    return [...this.prepared.values(), ...requested].some((view) => view.work(state, now + STEP_MS))
  }
}
