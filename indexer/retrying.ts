// Runs of an indexer one after the other: what passes is tried again from the position in the database, with back-off;
// what an operator must change, and bugs, end it.
import { setTimeout as delay } from 'node:timers/promises'
import { type HeadwaterError, RetryableError } from '../core/errors.ts'
import type { RefusedRow } from './project/projector.ts'
import type { SessionEvents } from './session.ts'
import type { Position } from './store/position.ts'

export interface IndexEvents extends SessionEvents {
  /** The writer holds the chain, at this position. */
  opened(position: Position | null): void
  /** A passing error; tried again after `seconds`. */
  retrying(error: HeadwaterError, seconds: number): void
  /** A row of a contract cannot be decoded; told again when its block is read again. */
  refused?(row: RefusedRow): void
}

const FIRST_DELAY = 0.25
const LONGEST_DELAY = 10

/**
 * @param run     calls `progress` when something is committed: the delays then begin anew
 * @param failed  told of each passing error
 * @returns what a run ends with; null when the signal came between two
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
      seconds = Math.min(seconds * 2, LONGEST_DELAY)
    }
  }
}

/** The session's events, with `progress` called at every commit. */
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
