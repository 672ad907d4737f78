// Counts the trades and users of hours that have become irreversible, oldest first. Nothing that is counted changes any
// more: the same ledger gives the same counts, whenever and in whatever portions they are made.
import { onConnection } from '../../store/connection.ts'
import { Lease } from '../../store/lease.ts'
import { COUNT, SESSION } from './sql.ts'

export interface CountOptions {
  chain: string
  databaseUrl: string
}

/** Hours that are counted in one transaction: a day. */
const PORTION = 24
/** Seconds: the session's time limit of a statement, and some more. */
const LONGEST_PORTION = 400

/**
 * @returns how many hours were counted; 0 too when another process does it
 * @throws RetryableError DATABASE_UNAVAILABLE
 */
export async function countHours({ chain, databaseUrl }: CountOptions): Promise<number> {
  return onConnection({ databaseUrl, name: 'hours', chain, session: SESSION }, async (client) => {
    const lease = await Lease.tryTake(client, chain, 'hours', LONGEST_PORTION)
    if (!(lease instanceof Lease)) return 0
    try {
      for (let all = 0; ; ) {
        await client.query(`begin; ${lease.check}`)
        const { rows } = await client.query<{ hours: number }>(COUNT, [chain, PORTION])
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
