// A lease on work that one process may do at a time, stored in `meta.leases`. Safe with any clock skew or hang: each
// transaction of the holder checks its token. The time limit only decides when another process may take it.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { Turns } from '../../core/turns.ts'
import { FencedError } from './errors.ts'
import { literal } from './literal.ts'
import { RELEASE_LEASE, RENEW_LEASE, TAKE_LEASE } from './sql.ts'

export type LeasePurpose = 'write' | 'hours'

/** Lease time in seconds. A process that hangs longer may lose the chain to another one. */
export const LEASE_SECONDS = 15
/** Renewals within the lease time. */
const RENEWALS = 5
const RELEASE_MS = 2000

export class Lease {
  readonly chain: string
  readonly purpose: LeasePurpose
  readonly token = randomUUID()
  private readonly client: ClientBase
  private readonly seconds: number
  /** Interval of renewals, ms. */
  private readonly renewMs: number
  /** Uses of the connection. */
  private turns = new Turns()
  private timer: NodeJS.Timeout | null = null
  private renewedAt = performance.now()

  private constructor(client: ClientBase, chain: string, purpose: LeasePurpose, seconds: number) {
    this.client = client
    this.chain = chain
    this.purpose = purpose
    this.seconds = seconds
    this.renewMs = (seconds * 1000) / RENEWALS
  }

  /** @returns the lease, or its present holder. Release it on the same connection; a lost connection frees it. */
  static async tryTake(
    client: ClientBase,
    chain: string,
    purpose: LeasePurpose,
    seconds = LEASE_SECONDS,
  ): Promise<Lease | string> {
    const lease = new Lease(client, chain, purpose, seconds)
    const { rows } = await client.query<{ holder: string | null }>(TAKE_LEASE, [chain, purpose, lease.token, seconds])
    return rows[0]?.holder ?? lease
  }

  /** @throws FencedError WRITER_FENCED when another process holds it */
  static async take(client: ClientBase, chain: string): Promise<Lease> {
    const taken = await Lease.tryTake(client, chain, 'write')
    if (taken instanceof Lease) return taken
    throw new FencedError(chain, `another process writes it (${taken})`)
  }

  /** First statement of each transaction of the holder. Fails with SQLSTATE HW004 when the lease is lost. */
  get check(): string {
    return `select meta.check_lease(${literal(this.chain)}, ${literal(this.purpose)}, ${literal(this.token)})`
  }

  /** Statement that renews the lease within the holder's transaction; null when it was renewed recently. */
  renewal(): string | null {
    if (performance.now() - this.renewedAt < this.renewMs / 2) return null
    this.renewedAt = performance.now()
    return RENEW_LEASE(literal(this.token), literal(this.seconds))
  }

  /**
   * Renews the lease while the connection is idle; transactions renew it themselves.
   *
   * @param turns   uses of the connection: every statement on it is sent in one of them
   * @param onLost  called once when another process took the lease
   */
  keepRenewing(turns: Turns, onLost: (error: FencedError) => void): void {
    this.turns = turns
    this.timer = setInterval(() => {
      const statement = turns.unfinished === 0 ? this.renewal() : null
      if (statement === null) return
      turns
        .take(() => this.client.query(statement))
        .then(
          ({ rowCount }) => {
            if (rowCount !== 0) return
            this.stopRenewing()
            onLost(new FencedError(this.chain, 'another process took over'))
          },
          // A lost connection: its user gets the error.
          () => {},
        )
    }, this.renewMs)
    this.timer.unref()
  }

  /** Releases the lease. Does not wait long for the connection: when it ends, the lease is free too. */
  async release(): Promise<void> {
    this.stopRenewing()
    const released = this.turns.take(() => this.client.query(RELEASE_LEASE, [this.token])).catch(() => {})
    await Promise.race([released, delay(RELEASE_MS, undefined, { ref: false })])
  }

  private stopRenewing(): void {
    if (this.timer) clearInterval(this.timer)
    this.timer = null
  }
}
