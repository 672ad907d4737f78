// Stores the digests of ranges of blocks that have become final, for comparisons with other databases. Runs every minute
// for at most half of one, so a long history takes a while and does not hold up other work.
import { openClient } from '../../net/postgres.ts'
import type { ScheduledJob } from './schedules.ts'
import { DIGEST_LEAVES } from './sql.ts'

export interface DigestOptions {
  chain: string
  databaseUrl: string
  /** Limit of one run, ms. Default: 30,000. */
  limitMs?: number
}

/** Ranges of one transaction. */
const BATCH = 8

export function digestRangesJob(options: DigestOptions): ScheduledJob {
  const run = async () => void (await digestRanges(options))
  return { name: `digest_ranges_${options.chain}`, cron: '* * * * *', run }
}

/** @returns number of ranges whose digests were stored */
export async function digestRanges({ chain, databaseUrl, limitMs = 30_000 }: DigestOptions): Promise<number> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'headwater digests' })
  const until = performance.now() + limitMs
  let stored = 0
  try {
    await client.connect()
    for (;;) {
      const count = Number((await client.query(DIGEST_LEAVES, [chain, BATCH])).rows[0].count)
      stored += count
      if (count < BATCH || performance.now() > until) return stored
    }
  } finally {
    await client.end()
  }
}
