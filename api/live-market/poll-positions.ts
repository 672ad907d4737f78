// Polls the positions of all chains, where the database cannot notify.
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { POLL } from './sql.ts'

/** Interval, ms. */
const POLL_EVERY_MS = 100
/** Interval after an error, ms: the server may be restarting. */
const AFTER_ERROR_MS = 1000

export interface PollOptions {
  /** Called with a chain whose last block has changed. */
  onChange: (chain: string) => void
  /** Whether to return, by whether the server is a standby. */
  isDone: (isStandby: boolean) => boolean
  signal: AbortSignal
}

interface Row {
  isStandby: boolean
  /** Null without chains. */
  chain: string | null
  id: string | null
}

/** Polls until done or aborted. Errors are left to the checks of the markets, which report them. */
export async function pollPositions(pool: Pool, { onChange, isDone, signal }: PollOptions): Promise<void> {
  const last = new Map<string, string | null>()
  while (!signal.aborted) {
    const rows = await pool.query<Row>({ name: 'poll-positions', text: POLL }).then(
      (result) => result.rows,
      () => null,
    )
    if (signal.aborted) return
    for (const { chain, id } of rows ?? []) {
      if (chain === null || last.get(chain) === id) continue
      last.set(chain, id)
      onChange(chain)
    }
    if (rows?.[0] !== undefined && isDone(rows[0].isStandby)) return
    await delay(rows === null ? AFTER_ERROR_MS : POLL_EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
