// Whether accounts exist on the Antelope chains of the bridge, asked of their nodes in the background, some at a time. An
// answer never waits for it. Only the order of what waits depends on it: nobody is paid or refused because of it.

import { LRUCache } from '../../../core/cache.ts'
import { ChainApi, NodeRefusal } from '../../../net/chain-api.ts'

/** A chain API of each chain, by name in the configuration. */
export type NodeUrls = ReadonlyMap<string, string>

export interface AccountViewsOptions {
  /** How many are asked at once. */
  atOnce?: number
  /** How long an answer may take. */
  timeoutMs?: number
  /** After how long one that does not exist is asked for again. */
  againMs?: number
  /** For how long a node that did not answer is not asked. */
  pauseMs?: number
  /** Clock, Unix milliseconds. */
  now?: () => number
}

interface Known {
  exists: boolean
  at: number
}

/** Most answers that are kept, and questions that wait, of all chains. */
const MAX_ENTRIES = 50_000
/** Size limit of an account, bytes: one with 1,000 permissions has some 300 kB. */
const MAX_BYTES = 4 << 20
const NAME = /^[a-z1-5.]{0,11}[a-z1-5]$/
const UNKNOWN = /unknown key|unable to find|account_query_exception|does not exist/i

export class AccountViews {
  private readonly nodes: NodeUrls
  private readonly options: Required<AccountViewsOptions>
  private readonly known = new LRUCache<string, Known>({ max: MAX_ENTRIES })
  private readonly asked = new Map<string, { node: string; account: string }>()
  /** Nodes that did not answer, and until when they are left alone. */
  private readonly paused = new Map<string, number>()
  private running = 0
  private version = 0
  private isClosed = false

  constructor(nodes: NodeUrls = new Map(), options: AccountViewsOptions = {}) {
    this.nodes = nodes
    this.options = { atOnce: 8, timeoutMs: 3000, againMs: 60_000, pauseMs: 10_000, now: Date.now, ...options }
  }

  /**
   * Whether an account is known not to exist. Asks for it when that is not known, without waiting.
   *
   * @param chain  name in the configuration; undefined where it is not indexed
   */
  isMissing(chain: string | undefined, account: string): boolean {
    if (!NAME.test(account)) return true
    const node = chain === undefined ? undefined : this.nodes.get(chain)
    if (node === undefined) return false
    const key = `${chain} ${account}`
    const known = this.known.get(key)
    const isOld = known !== undefined && !known.exists && known.at < this.options.now() - this.options.againMs
    const isPaused = (this.paused.get(node) ?? 0) > this.options.now()
    if ((known === undefined || isOld) && !isPaused && this.asked.size < MAX_ENTRIES) {
      this.asked.set(key, { node, account })
      this.goOn()
    }
    return known?.exists === false
  }

  /** Changes when an answer that uses this may. */
  get tag(): string {
    return String(this.version)
  }

  close(): void {
    this.isClosed = true
    this.asked.clear()
  }

  private goOn(): void {
    for (const [key, { node, account }] of this.asked) {
      if (this.running >= this.options.atOnce || this.isClosed) return
      this.asked.delete(key)
      this.running++
      void this.ask(node, account)
        .then((exists) => (exists === null ? this.pause(node) : this.keep(key, exists)))
        .finally(() => {
          this.running--
          this.goOn()
        })
    }
  }

  private pause(node: string): void {
    this.paused.set(node, this.options.now() + this.options.pauseMs)
    for (const [key, question] of this.asked) if (question.node === node) this.asked.delete(key)
  }

  private keep(key: string, exists: boolean): void {
    if (this.known.get(key)?.exists !== exists) this.version++
    this.known.set(key, { exists, at: this.options.now() })
  }

  /** Null when the node gives no clear answer. */
  private async ask(node: string, account: string): Promise<boolean | null> {
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
