// Cache of whether accounts exist on the Antelope chains of the bridge. Their nodes are queried in the background, a
// few accounts at a time; no answer waits for it. It affects only the order and the obstacles of pending work, no
// payment.

import { LRUCache } from '../../../core/cache.ts'
import { ChainApi, NodeRefusal } from '../../../net/chain-api.ts'

/** URL of a chain API by chain, named as in the configuration. */
export type NodeUrls = ReadonlyMap<string, string>

export interface AccountViewsOptions {
  /** Concurrent requests. Default 8. */
  atOnce?: number
  /** Timeout of a request. Default 3,000. */
  timeoutMs?: number
  /** Time until a missing account is requested again. Default 60,000. */
  againMs?: number
  /** Pause after a node did not answer. Default 10,000. */
  pauseMs?: number
  /** Clock, Unix milliseconds. */
  now?: () => number
}

interface Known {
  exists: boolean
  at: number
}

/** Maximum number of cached answers, and of waiting requests, of all chains. */
const MAX_ENTRIES = 50_000
/** Size limit of an answer, bytes. An account with 1,000 permissions has some 300 kB. */
const MAX_BYTES = 4 << 20
const NAME = /^[a-z1-5.]{0,11}[a-z1-5]$/
const UNKNOWN = /unknown key|unable to find|account_query_exception|does not exist/i

export class AccountViews {
  private readonly nodes: NodeUrls
  private readonly options: Required<AccountViewsOptions>
  private readonly known = new LRUCache<string, Known>({ max: MAX_ENTRIES })
  private readonly queue = new Map<string, { node: string; account: string }>()
  /** End of the pause of each node that did not answer, milliseconds. */
  private readonly paused = new Map<string, number>()
  private running = 0
  private version = 0
  private isClosed = false

  constructor(nodes: NodeUrls = new Map(), options: AccountViewsOptions = {}) {
    this.nodes = nodes
    this.options = { atOnce: 8, timeoutMs: 3000, againMs: 60_000, pauseMs: 10_000, now: Date.now, ...options }
  }

  /**
   * Whether an account is known not to exist. If unknown, queues a request and returns false.
   *
   * @param chain  name in the configuration; undefined if it is not indexed
   */
  isMissing(chain: string | undefined, account: string): boolean {
    if (!NAME.test(account)) return true
    const node = chain === undefined ? undefined : this.nodes.get(chain)
    if (node === undefined) return false
    const key = `${chain} ${account}`
    const known = this.known.get(key)
    const isOld = known !== undefined && !known.exists && known.at < this.options.now() - this.options.againMs
    const isPaused = (this.paused.get(node) ?? 0) > this.options.now()
    if ((known === undefined || isOld) && !isPaused && this.queue.size < MAX_ENTRIES) {
      this.queue.set(key, { node, account })
      this.runQueue()
    }
    return known?.exists === false
  }

  /** Version of the cache: changes with each answer that differs from the cached one. */
  get tag(): string {
    return String(this.version)
  }

  close(): void {
    this.isClosed = true
    this.queue.clear()
  }

  private runQueue(): void {
    for (const [key, { node, account }] of this.queue) {
      if (this.running >= this.options.atOnce || this.isClosed) return
      this.queue.delete(key)
      this.running++
      void this.request(node, account)
        .then((exists) => (exists === null ? this.pause(node) : this.store(key, exists)))
        .finally(() => {
          this.running--
          this.runQueue()
        })
    }
  }

  private pause(node: string): void {
    this.paused.set(node, this.options.now() + this.options.pauseMs)
    for (const [key, queued] of this.queue) if (queued.node === node) this.queue.delete(key)
  }

  private store(key: string, exists: boolean): void {
    if (this.known.get(key)?.exists !== exists) this.version++
    this.known.set(key, { exists, at: this.options.now() })
  }

  /** Whether the account exists; null if the node gives no clear answer. */
  private async request(node: string, account: string): Promise<boolean | null> {
    const api = new ChainApi({ url: node, timeoutMs: this.options.timeoutMs, maxBytes: MAX_BYTES })
    try {
      await api.ask('get_account', { account_name: account })
      return true
    } catch (error) {
      return error instanceof NodeRefusal && error.status !== 404 && UNKNOWN.test(`${error.kind} ${error.message}`)
        ? false
        : null
    }
  }
}
