// Client of the public bridge API, for simulated users of a devnet.
import { setTimeout as sleep } from 'node:timers/promises'
import type { WithdrawalProof } from '../../proofs/json.ts'

/** Maximum requests to a busy server. */
const TRIES = 5

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
