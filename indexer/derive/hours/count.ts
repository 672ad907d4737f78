// Counts the trades and users of hours that have become irreversible, oldest first. Nothing that is counted changes any
// more: the same ledger gives the same counts, whenever and in whatever portions they are made.
import { onConnection } from '../../store/connection.ts'
import { COUNT, LOCK, SESSION } from './sql.ts'

export interface CountOptions {
  chain: string
  databaseUrl: string
}

/** Hours that are counted in one transaction: a day. */
const PORTION = 24

/**
 * @returns how many hours were counted; 0 too when another process does it
 * @throws RetryableError DATABASE_UNAVAILABLE
 */
export async function countHours({ chain, databaseUrl }: CountOptions): Promise<number> {
  return onConnection({ databaseUrl, name: 'hours', chain, session: SESSION }, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>(LOCK, [chain])
    if (!rows[0]?.mine) return 0
    for (let all = 0; ; ) {
      const { rows } = await client.query<{ hours: number }>(COUNT, [chain, PORTION])
      const hours = rows[0]?.hours ?? 0
      if (hours === 0) return all
      all += hours
    }
  })
}
