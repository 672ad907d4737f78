// How far the database lags its primary, if it is a physical standby.
import type { Pool } from 'pg'
import { REPLICATION } from './sql.ts'

export interface Replication {
  /** Whether the server is a physical standby. The other members are 0 and true on a primary. */
  standby: boolean
  /** Age of the last replayed transaction, seconds; 0 while everything received is replayed. */
  replayLagSeconds: number
  /** Received and not replayed yet. */
  replayLagBytes: number
  /** Whether it is connected to its primary. */
  receiving: boolean
}

export async function readReplication(pool: Pool): Promise<Replication> {
  const { rows } = await pool.query<{
    standby: boolean
    seconds: number | null
    bytes: number | null
    receiving: boolean
  }>(REPLICATION)
  const row = rows[0]
  if (row === undefined || !row.standby)
    return { standby: false, replayLagSeconds: 0, replayLagBytes: 0, receiving: true }
  return {
    standby: true,
    replayLagSeconds: Math.max(0, Math.round((row.seconds ?? 0) * 10) / 10),
    replayLagBytes: Math.max(0, row.bytes ?? 0),
    receiving: row.receiving,
  }
}
