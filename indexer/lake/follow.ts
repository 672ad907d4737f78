// Writes a lake again and again, as blocks become final.
import { setTimeout as delay } from 'node:timers/promises'
import { RetryableError } from '../../core/errors.ts'
import { type LakeOptions, writeLake } from './lake.ts'

export interface FollowOptions extends LakeOptions {
  /** Pause between two rounds, ms. */
  everyMs: number
  /** Called on an error that passes, before the next attempt. */
  onRetry: (error: RetryableError) => void
}

const FIRST_PAUSE_MS = 1000
/** Minimum time between two copies of current rows, ms. */
const CURRENT_EVERY_MS = 600_000

/** Returns when the signal is aborted. @throws the errors of `writeLake` that do not pass */
export async function followLake(options: FollowOptions): Promise<void> {
  const { signal, everyMs, onRetry } = options
  let failures = 0
  let copiedAt = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    try {
      const current = options.current === true && performance.now() - copiedAt >= CURRENT_EVERY_MS
      await writeLake({ ...options, current })
      if (current) copiedAt = performance.now()
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RetryableError)) throw error
      onRetry(error)
      failures++
    }
    const pause = failures === 0 ? everyMs : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), everyMs)
    await delay(pause, undefined, { signal }).catch(() => {})
  }
}
