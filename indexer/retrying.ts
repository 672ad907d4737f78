// Runs an indexer repeatedly: after a retryable error it runs again from the position in the database, with back-off.
// User errors and bugs end it.
import { setTimeout as delay } from 'node:timers/promises'
import { type HeadwaterError, RetryableError } from '../core/errors.ts'
import type { RefusedRow } from './project/projector.ts'
import type { SessionEvents } from './session.ts'
import type { Position } from './store/position.ts'

export interface IndexEvents extends SessionEvents {
  /** Called when the writer holds the chain's lease, with the position. */
  opened(position: Position | null): void
  /** Called on a retryable error, before a pause of `seconds`. */
  retrying(error: HeadwaterError, seconds: number): void
  /** Called when a contract's row cannot be decoded, and again when its block is read again. */
  refused?(row: RefusedRow): void
}

const FIRST_DELAY = 0.25
const MAX_DELAY = 10

/**
 * @param run     calls `progress` after a commit, which resets the delay
 * @param failed  called with each retryable error
 * @returns the result of a run; null when the signal was aborted between two runs
 * @throws UserError, BugError
 */
export async function retrying(
  { events, signal }: { events: IndexEvents; signal: AbortSignal },
  run: (progress: () => void) => Promise<Position | null>,
  failed: (error: RetryableError) => void = () => {},
): Promise<Position | null> {
  let seconds = FIRST_DELAY
  for (;;) {
    let progressed = false
    try {
      return await run(() => {
        progressed = true
      })
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error
      failed(error)
      if (progressed) seconds = FIRST_DELAY
      events.retrying(error, seconds)
      await delay(seconds * 1000, undefined, { signal }).catch(() => {})
      if (signal.aborted) return null
      seconds = Math.min(seconds * 2, MAX_DELAY)
    }
  }
}

/** The session's events, with a call of `progress` at every commit. */
export function watched(events: SessionEvents, progress: () => void): SessionEvents {
  return {
    committed: (...args) => {
      progress()
      events.committed(...args)
    },
    forked: (...args) => events.forked(...args),
    decoded: (...args) => events.decoded(...args),
  }
}
