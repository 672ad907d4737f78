// Client of the public bridge API, for relayers and simulated users of a devnet.
import { setTimeout as sleep } from 'node:timers/promises'
import type { DepositProof } from '../../proofs/deposit/json.ts'
import type { WithdrawalProof } from '../../proofs/json.ts'

/** Maximum requests to a busy server. */
const TRIES = 5

/** A withdrawal that is ready to settle. Amounts are ledger units as text, times Unix seconds. */
export interface PendingWithdrawal {
  key: string
  action: 'release' | 'expire'
  id: string
  domain: string
  /** Null when a relayer pays the withdrawal. */
  releaseTo: string | null
  recipient: string
  /** Token at the destination. */
  token: string
  symbol: string | null
  amount: string
  precision: number | null
  hasProof: boolean
}

export interface PendingDeposit {
  key: string
  /** Possible actions, in the order to try. */
  actions: ('credit' | 'forward' | 'bounce')[]
  domain: string
  nonce: string
}

/** A withdrawal that has ended at its destination but not on the ledger. */
export interface PendingSettlement {
  key: string
  action: 'settle' | 'refund'
  id: string
  domain: string
  /** Null for a refund, and so is `tx`. */
  released: boolean | null
  tx: string | null
}

export interface PendingHop {
  id: string
}

export interface PendingAnswer {
  pending: PendingWithdrawal[]
  deposits: PendingDeposit[]
  settlements: PendingSettlement[]
  hops: PendingHop[]
}

interface PendingPage extends PendingAnswer {
  /** Cursors of the next pages; null at the end. */
  next: Record<keyof PendingAnswer, string | null>
}

/** A leg of `/transfers`: the members used here. */
export interface Leg {
  key: string
  status: string
  domain: string
  symbol: string | null
  amount: string
  src_tx: string | null
  dst_tx: string | null
}

/** A journey of `/hops`: the members used here. */
export interface Journey {
  key: string
  status: string
  from: { chain: string }
  /** In order. */
  legs: { key: string; status: string }[]
}

/** An error response: its status and message. */
class BridgeApiError extends Error {
  readonly status: number

  constructor(path: string, status: number, text: string) {
    super(`${path}: ${status} ${text.slice(0, 200)}`)
    this.status = status
  }
}

export class BridgeApi {
  private readonly url: string

  /** @param url  ends in path element `v1` */
  constructor(url: string) {
    this.url = url.replace(/\/$/, '')
  }

  /** All pages of everything pending, in the best order of execution. */
  async pending(): Promise<PendingAnswer> {
    const first = await this.get<PendingPage>('pending')
    const [pending, deposits, settlements, hops] = await Promise.all([
      this.rest('pending', first),
      this.rest('deposits', first),
      this.rest('settlements', first),
      this.rest('hops', first),
    ])
    return { pending, deposits, settlements, hops }
  }

  /** All pages of one list, given the first one. */
  private async rest<L extends keyof PendingAnswer>(list: L, first: PendingPage): Promise<PendingAnswer[L]> {
    const pages: PendingAnswer[L][] = [first[list]]
    let next = first.next[list]
    while (next !== null) {
      const page = await this.get<PendingPage>(`pending?cursor=${encodeURIComponent(next)}`)
      pages.push(page[list])
      next = page.next[list]
    }
    return pages.flat() as PendingAnswer[L]
  }

  /** Null while unknown. */
  transfer(key: string): Promise<Leg | null> {
    return this.find(`transfers/${encodeURIComponent(key)}`)
  }

  /** Null while unknown. */
  hop(key: string): Promise<Journey | null> {
    return this.find(`hops/${encodeURIComponent(key)}`)
  }

  /** Journeys of an account or address, newest first. */
  async hopsOf(party: string): Promise<Journey[]> {
    return (await this.get<{ hops: Journey[] }>(`hops?party=${party}`)).hops
  }

  /** Null until it exists. @param id  of the withdrawal */
  proof(id: string): Promise<WithdrawalProof | null> {
    return this.find(`proofs/w:${id}`)
  }

  /** Actions that credit a deposit; null while unavailable. @param relayer  account that will push them */
  async credit(key: string, relayer: string): Promise<DepositProof['actions'] | null> {
    try {
      return await this.find(`proofs/${encodeURIComponent(key)}?relayer=${relayer}`)
    } catch (error) {
      // Other services that proofs depend on may be unavailable for a while.
      if (error instanceof BridgeApiError && error.status >= 500) return null
      throw error
    }
  }

  private async find<T>(path: string): Promise<T | null> {
    try {
      return await this.get<T>(path)
    } catch (error) {
      if (error instanceof BridgeApiError && error.status === 404) return null
      throw error
    }
  }

  private async get<T>(path: string): Promise<T> {
    let response = await fetch(`${this.url}/${path}`)
    // A busy server sends Retry-After.
    for (let tries = 1; tries < TRIES && response.headers.has('retry-after'); tries++) {
      await sleep(1000 * Number(response.headers.get('retry-after')))
      response = await fetch(`${this.url}/${path}`)
    }
    if (!response.ok) throw new BridgeApiError(path, response.status, await response.text())
    return (await response.json()) as T
  }
}
