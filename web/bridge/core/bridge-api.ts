// Client of the bridge API. Distinguishes not found (yet), too busy, and an unreadable response.
import type { ChainsAnswer, JourneyAnswer, LegAnswer, PendingAnswer, ProofAnswer, RouteAnswer } from './answers.ts'
import { Fault } from './faults.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

const TIMEOUT_MS = 15_000

export class BridgeApi {
  private readonly base: string
  private readonly fetch: Fetch

  /** @param base  without a trailing slash */
  constructor(base: string, fetch: Fetch) {
    this.base = base
    this.fetch = fetch
  }

  async routes(): Promise<readonly RouteAnswer[]> {
    return (await this.get<{ routes: RouteAnswer[] }>('routes')).routes
  }

  chains(): Promise<ChainsAnswer> {
    return this.get('chains')
  }

  /** Null while the bridge does not know it. */
  journey(key: string): Promise<JourneyAnswer | null> {
    return this.find(`hops/${encodeURIComponent(key)}`)
  }

  /** Journeys with a leg that began in a transaction. Empty while the bridge does not know any. */
  async journeysOfTransaction(transaction: string): Promise<readonly JourneyAnswer[]> {
    return (await this.get<{ hops: JourneyAnswer[] }>(`hops?tx=${encodeURIComponent(transaction)}`)).hops
  }

  /** Newest first, including journeys of one leg. */
  async journeysOfParty(party: string): Promise<readonly JourneyAnswer[]> {
    const query = `party=${encodeURIComponent(party)}&direct=true&limit=20`
    return (await this.get<{ hops: JourneyAnswer[] }>(`hops?${query}`)).hops
  }

  /** Deposits of which an address is a party, newest first. */
  async depositsOf(address: string): Promise<readonly LegAnswer[]> {
    const query = `address=${encodeURIComponent(address)}&direction=deposit&limit=50`
    return (await this.get<{ transfers: LegAnswer[] }>(`transfers?${query}`)).transfers
  }

  /** What a relayer can do now. @param key  of the requested leg or journey */
  pending(key: string): Promise<PendingAnswer> {
    return this.get(`pending?key=${encodeURIComponent(key)}`)
  }

  /** Null until it exists. @param key  of a withdrawal */
  proof(key: string): Promise<ProofAnswer | null> {
    return this.find(`proofs/${encodeURIComponent(key)}`)
  }

  private async find<T>(path: string): Promise<T | null> {
    const response = await this.ask(path)
    return response.status === 404 ? null : this.read<T>(response)
  }

  private async get<T>(path: string): Promise<T> {
    return this.read<T>(await this.ask(path))
  }

  private async ask(path: string): Promise<Response> {
    try {
      return await this.fetch(`${this.base}/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    } catch {
      throw new Fault('BRIDGE_UNREACHABLE', 'The bridge does not answer. Check your connection; it is asked again.')
    }
  }

  private async read<T>(response: Response): Promise<T> {
    if (response.status === 503 || response.status === 429)
      throw new Fault('BRIDGE_BUSY', 'The bridge is busy at the moment. It is asked again.')
    if (!response.ok) throw new Fault('BRIDGE_REFUSED', `The bridge does not answer that: ${response.status}.`)
    try {
      return (await response.json()) as T
    } catch {
      throw new Fault('BRIDGE_UNREADABLE', 'The bridge’s answer cannot be read. It is asked again.')
    }
  }
}
