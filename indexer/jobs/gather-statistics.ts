// Analyzes partitioned tables, which autovacuum does not: the planner needs their statistics to estimate joins. A table
// is analyzed when one of its partitions has newer statistics.
import { openClient } from '../../net/postgres.ts'
import type { ScheduledJob } from './schedules.ts'
import { GATHER_STATISTICS, STALE_STATISTICS } from './sql.ts'

/** @returns qualified names of the analyzed tables */
export async function gatherStatistics(databaseUrl: string): Promise<string[]> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'headwater gather statistics' })
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(STALE_STATISTICS)
    // One transaction for each table: their locks block vacuum.
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
