// Counts the trades and users of irreversible hours, oldest first. The ledger of these hours never changes, so the
// counts do not depend on when and in which batches they are computed.
import { onConnection } from '../../store/connection.ts'
import { Lease } from '../../store/lease.ts'
import { COUNT, SESSION } from './sql.ts'

export interface CountOptions {
  chain: string
  databaseUrl: string
}

/** Hours counted in one transaction: a day. */
const BATCH_HOURS = 24
/** Lease time in seconds: the session's statement timeout plus a margin. */
const LEASE_SECONDS = 400

/**
 * @returns number of hours counted; 0 also when another process is counting
 * @throws RetryableError DATABASE_UNAVAILABLE
 */
export async function countHours({ chain, databaseUrl }: CountOptions): Promise<number> {
  return onConnection({ databaseUrl, name: 'hours', chain, session: SESSION }, async (client) => {
    const lease = await Lease.tryTake(client, chain, 'hours', LEASE_SECONDS)
    if (!(lease instanceof Lease)) return 0
    try {
      for (let all = 0; ; ) {
        await client.query(`begin; ${lease.check}`)
        const { rows } = await client.query<{ hours: number }>(COUNT, [chain, BATCH_HOURS])
        const renewal = lease.renewal()
        await client.query(renewal === null ? 'commit' : `${renewal}; commit`)
        const hours = rows[0]?.hours ?? 0
        if (hours === 0) return all
        all += hours
      }
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    } finally {
      await lease.release()
    }
  })
}
