// Client of the bridge API, the relayer's only source of work and proofs.
import { setTimeout as sleep } from 'node:timers/promises'
import { RetryableError } from '../core/errors.ts'
import { HttpError, request } from '../net/http.ts'
import type { DepositProof } from '../proofs/deposit/json.ts'
import type { HandoffArguments, WithdrawalProof } from '../proofs/json.ts'
import type { PendingWork } from './pending.ts'

const TIMEOUT_MS = 30_000
const MAX_BYTES = 64 << 20
/** Maximum number of requests to a busy server, and the maximum pause that it may ask for, seconds. */
const TRIES = 5
const MAX_PAUSE_S = 30
/** Maximum number of pages read of one list. The rest is read after these entries are done. */
const MAX_PAGES = 200

interface PendingPage extends PendingWork {
  /** Cursors of the next pages; null at the end. */
  next: Record<keyof PendingWork, string | null>
}

/** Hand-offs that a light client can learn now, in order. */
export interface LightClientHandoffs {
  lightClient: string
  handoffs: HandoffArguments[]
}

export class BridgeApi {
  readonly #url: string
  readonly #signal: AbortSignal

  /** @param url  ends in path element `v1` */
  constructor(url: string, signal: AbortSignal) {
    this.#url = url.replace(/\/$/, '')
    this.#signal = signal
  }

  /** All pages of all lists, in the best order of execution. @throws RetryableError RELAY_API */
  async pending(): Promise<PendingWork> {
    const first = required(await this.#get<PendingPage>('pending'), 'pending')
    const [pending, deposits, settlements, hops] = await Promise.all([
      this.#rest('pending', first),
      this.#rest('deposits', first),
      this.#rest('settlements', first),
      this.#rest('hops', first),
    ])
    return { pending, deposits, settlements, hops }
  }

  async #rest<L extends keyof PendingWork>(list: L, first: PendingPage): Promise<PendingWork[L]> {
    const pages: PendingWork[L][] = [first[list]]
    const cursors = new Set<string>()
    for (let next = first.next[list]; next !== null && pages.length < MAX_PAGES; ) {
      if (cursors.has(next)) throw unusable(`pending: the cursor ${next} of ${list} comes again`)
      cursors.add(next)
      const page = required(await this.#get<PendingPage>(`pending?cursor=${encodeURIComponent(next)}`), 'pending')
      pages.push(page[list])
      next = page.next[list]
    }
    return pages.flat() as PendingWork[L]
  }

  /** Null until it exists. @param key  `w:<id>` @throws RetryableError RELAY_API */
  withdrawalProof(key: string): Promise<WithdrawalProof | null> {
    return this.#get(`proofs/${encodeURIComponent(key)}`, 'fails')
  }

  /** Empty while the API knows none, or has no such list. @param domain  of an EVM chain @throws RetryableError RELAY_API */
  async handoffs(domain: number): Promise<LightClientHandoffs[]> {
    const answer = await this.#get<{ lightClients: LightClientHandoffs[] }>(`handoffs/${domain}`, 'is-null')
    return answer?.lightClients ?? []
  }

  /** Actions that credit a deposit; null while they cannot be made. @param relayer  account that pushes them */
  async creditActions(key: string, relayer: string): Promise<DepositProof['actions'] | null> {
    return this.#get(`proofs/${encodeURIComponent(key)}?relayer=${relayer}`, 'is-null')
  }

  /**
   * Null for 404.
   *
   * @param onServerError  `waits` as long as the server asks for; a proof of one entry holds back no other: it `fails`
   *   at once, or `is-null`, where the server needs other ones for its answer
   */
  async #get<T>(path: string, onServerError: 'waits' | 'fails' | 'is-null' = 'waits'): Promise<T | null> {
    for (let tries = 1; ; tries++) {
      const { status, headers, text } = await this.#request(path)
      const isBroken = status >= 500 && onServerError !== 'waits'
      if (status === 404 || (isBroken && onServerError === 'is-null')) return null
      const pause = Number(headers.get('retry-after'))
      if (status !== 200 && pause > 0 && tries < TRIES && !isBroken) {
        await sleep(1000 * Math.min(pause, MAX_PAUSE_S), undefined, { signal: this.#signal })
        continue
      }
      if (status !== 200) throw unusable(`${path}: status ${status} ${text.slice(0, 200)}`)
      return parsed<T>(text, path)
    }
  }

  async #request(path: string) {
    const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal: this.#signal }
    try {
      return await request(`${this.#url}/${path}`, bounds)
    } catch (error) {
      throw error instanceof HttpError ? unusable(`${path}: ${error.message}`, error) : error
    }
  }
}

function required<T>(answer: T | null, path: string): T {
  if (answer !== null) return answer
  throw unusable(`${path}: status 404`)
}

function parsed<T>(text: string, path: string): T {
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw unusable(`${path} with JSON: ${(error as Error).message}`, error)
  }
}

/** @param what  that the API does not answer */
export function unusable(what: string, cause?: unknown): RetryableError {
  return new RetryableError('RELAY_API', `the bridge API does not answer ${what}`, {
    hint: 'relay.api is the address of the bridge API of an instance that indexes the ledger: it ends in /api/bridge/v1',
    cause,
  })
}
