// Reads of the Hyperion API that may search far: a filter that no index orders reads rows until enough match. Such reads
// end after a short time, and few run at a time, so that they cannot hold the connections of other endpoints.
import type { Pool } from 'pg'
import { perObject } from '../../core/cache.ts'
import { HttpError } from '../http/failures.ts'
import type { Statement } from '../kit/snapshot.ts'
import { Turns } from '../kit/turns.ts'
import { HyperionRefusal } from './refusal.ts'
import type { TransferFilter } from './request.ts'
import { wayOf } from './sql.ts'

/** Time of a read, milliseconds. */
const READ_MS = 500
/** Reads at a time. */
const MAX_READS = 2
/** Reads that may wait. */
const MAX_WAITING = 10
/** SQLSTATE of a statement that took too long. */
const TIMED_OUT = '57014'

const turnsOf = perObject((_: Pool) => new Turns(MAX_READS))

/** Whether a request may read more rows than it answers: an index orders one account, and nothing else. */
export function mayScan(filter: TransferFilter): boolean {
  const { account, from, to, contracts, symbol } = filter
  if (wayOf(filter) === 'contracts') return true
  const named = [account, from, to].filter((one) => one !== null).length
  return named > 1 || contracts !== null || symbol !== null
}

/**
 * Runs a statement within `readMs`.
 *
 * @throws HyperionRefusal 503 HYPERION_TIMEOUT when the time is over @throws HttpError 503 when too many reads wait
 */
export async function readBounded<Row>(pool: Pool, statement: Statement, readMs = READ_MS): Promise<{ rows: Row[] }> {
  const turns = turnsOf(pool)
  if (turns.waiting >= MAX_WAITING) throw new HttpError(503, 'Too many searches run. Try again in a moment.')
  return await turns.run(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query(`begin read only; set local statement_timeout = ${readMs}`)
      const { rows } = await client.query(statement)
      await client.query('commit')
      return { rows: rows as Row[] }
    } catch (error) {
      broken = error as Error & { code?: string }
      const isTimedOut = (error as { code?: string }).code === TIMED_OUT
      await client.query('rollback').then(
        () => (broken = undefined),
        () => {},
      )
      if (!isTimedOut) throw error
      throw new HyperionRefusal(
        'timeout',
        `not found within ${readMs} ms: narrow the request with after and before, or ask for one account without other filters`,
        503,
      )
    } finally {
      client.release(broken)
    }
  })
}
