// The server ends the session of a killed relayer when it next reads from it, which may be after a statement.
import type { Pool } from 'pg'
import { until } from '../support/until.ts'

const RELAYERS = `select 1 from pg_stat_activity where datname = current_database() and application_name like 'headwater relay%'`

/** Waits until no relayer has a session of the database: until then its keys are in use. */
export function sessionsEnded(pool: Pool): Promise<void> {
  return until('the sessions of relayers end', async () => (await pool.query(RELAYERS)).rows.length === 0)
}
