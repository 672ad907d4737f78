// Runs a whole backfill by workers, before the indexer follows the chain by itself: plans ranges, then takes them over.
import { setTimeout as delay } from 'node:timers/promises'
import { type HeadwaterError, RetryableError } from '../../core/errors.ts'
import type { Position } from '../store/position.ts'
import { startBoss } from './boss.ts'
import { type PlanOptions, planBackfill } from './plan.ts'
import { type TakeOverEvents, type TakeOverOptions, takeOverRanges } from './take-over.ts'

export interface BackfillOptions extends PlanOptions, Omit<TakeOverOptions, 'boss' | 'events'> {
  /** Interval of the check for ranges of dead workers, seconds. */
  maintenanceSeconds?: number
  events?: Partial<BackfillEvents>
}

interface BackfillEvents extends TakeOverEvents {
  /** Called with the number of ranges queued now. */
  planned(ranges: number): void
  /** Called when an error is retried. */
  retrying(error: HeadwaterError): void
}

const RETRY_MS = 1000

/**
 * Plans the unplanned ranges up to `endBlock`, and takes over ranges until all are done or the signal is aborted.
 * Workers (`runWorker`) read the blocks; without workers, it waits.
 *
 * @returns the chain's position at the end
 * @throws UserError BACKFILL_ON_REVERSIBLE, RANGE_DOES_NOT_FIT, RANGE_WITHOUT_START; BugError
 */
export async function backfill(options: BackfillOptions): Promise<Position | null> {
  const { databaseUrl, maintenanceSeconds, events, signal } = options
  for (;;) {
    const boss = await startBoss({ databaseUrl, maintenanceSeconds, onError: () => {} })
    try {
      const planned = await planBackfill(boss, options)
      if (planned > 0) events?.planned?.(planned)
      return await takeOverRanges({ ...options, boss })
    } catch (error) {
      if (!(error instanceof RetryableError) || signal.aborted) throw error
      events?.retrying?.(error)
    } finally {
      await boss.stop({ graceful: false, wait: true })
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}
