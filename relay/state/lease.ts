// The leases of a relayer's keys: rows of `relay.leases`, to which readers have no right. Each statement that records a
// transaction checks them (`held` in relay/sql.ts). A process that was stopped for long, and then continues, can therefore
// record nothing, and sends nothing, when another one has taken over.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import * as sql from '../sql.ts'

/** Time after which another process may take over from one that hangs, seconds. Once its session is gone, at once. */
const LEASE_SECONDS = 30
/** Interval between renewals, ms. */
export const RENEW_MS = 5000

type Ask = (text: string, values: unknown[]) => Promise<{ length: number }>

export class KeyLeases {
  readonly signers: readonly string[]
  readonly token = randomUUID()

  constructor(signers: readonly string[]) {
    this.signers = signers
  }

  /** @returns null when all were taken, else a key that another process has, and who that is */
  async take(client: pg.Client): Promise<{ signer: string; holder: string } | null> {
    for (const signer of this.signers) {
      const { rows } = await client.query<{ holder: string | null }>(sql.TAKE_LEASE, [
        signer,
        this.token,
        LEASE_SECONDS,
      ])
      const holder = rows[0]?.holder ?? null
      if (holder === null) continue
      await this.release(client)
      return { signer, holder }
    }
    return null
  }

  /** @returns whether this process still has all of them */
  async renew(ask: Ask): Promise<boolean> {
    return (await ask(sql.RENEW_LEASES, [this.signers, this.token, LEASE_SECONDS])).length === this.signers.length
  }

  async release(client: pg.Client): Promise<void> {
    await client.query(sql.RELEASE_LEASES, [this.signers, this.token])
  }
}
