// Drops staged rows of dead workers.

import { openClient } from '../../net/postgres.ts'
import type { ScheduledJob } from './schedules.ts'
import { STALE_SETS } from './sql.ts'
import { dropSets } from './staging.ts'

/** Age of abandoned sets. No worker takes that long for a range. */
const STALE_SECONDS = 86_400

/** @returns number of sets dropped */
export async function cleanStaging(databaseUrl: string, staleSeconds = STALE_SECONDS): Promise<number> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'headwater clean staging' })
  try {
    await client.connect()
    const { rows } = await client.query<{ id: string }>(STALE_SETS, [staleSeconds])
    await dropSets(
      client,
      rows.map(({ id }) => id),
    )
    return rows.length
  } finally {
    await client.end().catch(() => {})
  }
}

export function cleanStagingJob(databaseUrl: string): ScheduledJob {
  const run = async () => void (await cleanStaging(databaseUrl))
  return { name: 'clean_staging', cron: '17 4 * * *', run }
}
