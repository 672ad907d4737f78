// State of pending work between requests: the order of each list, the cache of missing accounts, and the newest
// completed work in a snapshot.
import { required } from '../../../core/required.ts'
import type { BridgeContext, Database } from '../bridge-context.ts'
import { AccountViews, type AccountViewsOptions, type NodeUrls } from './account-views.ts'
import { FairOrder, type Waiting } from './fair-order.ts'
import { type NewestDone, readNewestDone } from './newest-done.ts'
import { KINDS, type Kind } from './page.ts'

export interface PendingOptions {
  /** Chain APIs for the check whether receivers exist. */
  nodes?: NodeUrls
  accounts?: AccountViewsOptions
  /** Clock, milliseconds. */
  now?: () => number
}

export class PendingWork {
  readonly accounts: AccountViews
  private readonly orders: ReadonlyMap<Kind, FairOrder>
  private done: { tag: string; made: Promise<NewestDone> } | null = null

  constructor({ nodes, accounts, now }: PendingOptions = {}) {
    this.accounts = new AccountViews(nodes, accounts)
    this.orders = new Map(KINDS.map((kind) => [kind, new FairOrder(now)]))
  }

  /** Rounds of all entries of a list, by key. */
  rounds(kind: Kind, waiting: readonly Waiting[]): ReadonlyMap<string, number> {
    return required(this.orders.get(kind), `list of ${kind}`).rounds(waiting)
  }

  /** The newest completed work in a snapshot. Read once for each block. */
  newestDone(database: Database, context: BridgeContext): Promise<NewestDone> {
    if (this.done?.tag !== context.tag) this.done = { tag: context.tag, made: readNewestDone(database, context) }
    const { made } = this.done
    made.catch(() => {
      this.done = null
    })
    return made
  }

  close(): void {
    this.accounts.close()
  }
}
