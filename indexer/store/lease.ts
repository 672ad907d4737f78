// What one process may do at a time, held by a row of `meta.leases`. Safe whatever the clocks and the processes do: each
// transaction of the holder checks its token. The time limit only says when another process may try.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { FencedError } from './errors.ts'
import { literal } from './literal.ts'
import { RELEASE_LEASE, RENEW_LEASE, TAKE_LEASE } from './sql.ts'

export type LeasePurpose = 'write' | 'hours'

/** Seconds for which a lease is taken. A process that hangs for so long may lose the chain to another one. */
export const LEASE_SECONDS = 15
/** Between renewals, ms. */
const RENEW_MS = (LEASE_SECONDS * 1000) / 5
const RELEASE_MS = 2000

export class Lease {
  readonly chain: string
  readonly purpose: LeasePurpose
  readonly token = randomUUID()
  private readonly client: ClientBase
  private readonly seconds: number
  private timer: NodeJS.Timeout | null = null
  private renewedAt = performance.now()

  private constructor(client: ClientBase, chain: string, purpose: LeasePurpose, seconds: number) {
    this.client = client
    this.chain = chain
    this.purpose = purpose
    this.seconds = seconds
  }

  /**
   * @returns the lease, or who holds it. It is to be released on the same connection; when that is lost, anybody may take it.
   */
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

  /** @throws FencedError WRITER_FENCED when another process has it */
  static async take(client: ClientBase, chain: string): Promise<Lease> {
    const taken = await Lease.tryTake(client, chain, 'write')
    if (taken instanceof Lease) return taken
    throw new FencedError(chain, `another process writes it (${taken})`)
  }

  /** The statement with which each transaction of the holder begins. Fails with SQLSTATE HW004 when the lease is lost. */
  get check(): string {
    return `select meta.check_lease(${literal(this.chain)}, ${literal(this.purpose)}, ${literal(this.token)})`
  }

  /** The statement with which a transaction of the holder renews the lease; null while that is not needed. */
  renewal(): string | null {
    if (performance.now() - this.renewedAt < RENEW_MS / 2) return null
    this.renewedAt = performance.now()
    return RENEW_LEASE(literal(this.token), literal(this.seconds))
  }

  /** Renews the lease while nothing is committed. @param onLost  called once when another process has it */
  keepRenewing(onLost: (error: FencedError) => void): void {
    this.timer = setInterval(() => {
      const statement = this.renewal()
      if (statement === null) return
      this.client.query(statement).then(
        ({ rowCount }) => {
          if (rowCount !== 0) return
          this.stopRenewing()
          onLost(new FencedError(this.chain, 'another process took over'))
        },
        // A transaction that has failed, or a lost connection: who uses it notices.
        () => {},
      )
    }, RENEW_MS)
    this.timer.unref()
  }

  /** Lets another process begin at once. A connection that does not answer is not waited for: its end does the same. */
  async release(): Promise<void> {
    this.stopRenewing()
    const released = this.client.query(RELEASE_LEASE, [this.token]).catch(() => {})
    await Promise.race([released, delay(RELEASE_MS, undefined, { ref: false })])
  }

  private stopRenewing(): void {
    if (this.timer) clearInterval(this.timer)
    this.timer = null
  }
}
