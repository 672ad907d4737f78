// Repeats statements that a standby cancels because they conflict with the replay. For pools that only read.
import type pg from 'pg'

/** SQLSTATEs of a conflict with recovery: of a snapshot or lock, and of a buffer. */
const CONFLICTS = ['40001', '40P01']
/** A statement that ran longer than this is not repeated, ms: its repetition would be cancelled as well. */
const CHEAP_MS = 1000

/** Makes `pool.query` repeat a cancelled statement once, if it ran for a short time. Transactions are not repeated. */
export function repeatCancelled(pool: pg.Pool): void {
  const once = pool.query
  pool.query = function query(this: pg.Pool, ...given: unknown[]) {
    const started = performance.now()
    const result = Reflect.apply(once, this, given)
    if (!(result instanceof Promise)) return result
    return result.catch((error: Error & { code?: string }) => {
      if (!CONFLICTS.includes(error.code ?? '') || performance.now() - started > CHEAP_MS) throw error
      return Reflect.apply(once, this, given)
    })
  }
}
