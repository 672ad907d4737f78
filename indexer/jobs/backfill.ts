// A whole backfill by workers, as the indexer of a chain runs it before it goes on alone: plan, then take ranges over.
import { setTimeout as delay } from 'node:timers/promises'
import { type HeadwaterError, RetryableError } from '../../core/errors.ts'
import type { Position } from '../store/position.ts'
import { startBoss } from './boss.ts'
import { type PlanOptions, planBackfill } from './plan.ts'
import { type StitchEvents, type StitchOptions, stitchRanges } from './stitcher.ts'

export interface BackfillOptions extends PlanOptions, Omit<StitchOptions, 'boss' | 'events'> {
  /** Seconds between looks for ranges whose worker has died. */
  maintenanceSeconds?: number
  events?: Partial<BackfillEvents>
}

export interface BackfillEvents extends StitchEvents {
  /** So many ranges were queued now. */
  planned(ranges: number): void
  /** A passing error; tried again. */
  retrying(error: HeadwaterError): void
}

const RETRY_MS = 1000

/**
 * Plans what is not planned yet up to `endBlock`, and takes ranges over until all are done or the signal comes. Workers
 * (`runWorker`) do the reading; without any, it waits.
 *
 * @returns where the chain stands then
 * @throws UserError BACKFILL_ON_REVERSIBLE, RANGE_DOES_NOT_FIT, RANGE_WITHOUT_START; BugError
 */
export async function backfill(options: BackfillOptions): Promise<Position | null> {
  const { databaseUrl, maintenanceSeconds, events, signal } = options
  for (;;) {
    const boss = await startBoss({ databaseUrl, maintenanceSeconds, onError: () => {} })
    try {
      const planned = await planBackfill(boss, options)
      if (planned > 0) events?.planned?.(planned)
      return await stitchRanges({ ...options, boss })
    } catch (error) {
      if (!(error instanceof RetryableError) || signal.aborted) throw error
      events?.retrying?.(error)
    } finally {
      await boss.stop({ graceful: false, wait: true })
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}
