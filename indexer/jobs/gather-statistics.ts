// Gathers the statistics of partitioned tables, which PostgreSQL leaves to others: by them it estimates joins. A table has its
// turn when one of its partitions has newer statistics than the table.
import { openClient } from '../../net/postgres.ts'
import type { ScheduledJob } from './schedules.ts'
import { GATHER_STATISTICS, STALE_STATISTICS } from './sql.ts'

/** @returns names of the tables, with their schemas */
export async function gatherStatistics(databaseUrl: string): Promise<string[]> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'headwater gather statistics' })
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(STALE_STATISTICS)
    // Each in a transaction of its own: their locks are in the way of what cleans the tables up.
    for (const { name } of rows) await client.query(GATHER_STATISTICS, [name])
    return rows.map(({ name }) => name)
  } finally {
    await client.end().catch(() => {})
  }
}

export function gatherStatisticsJob(databaseUrl: string): ScheduledJob {
  const run = async () => void (await gatherStatistics(databaseUrl))
  return { name: 'gather_statistics', cron: '*/10 * * * *', run }
}
