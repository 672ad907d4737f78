// Recurring jobs by pg-boss. Of all processes on a database, one runs a job at a time.
import type PgBoss from 'pg-boss'
import { openQueue } from './boss.ts'

export interface ScheduledJob {
  /** Letters, digits, `-` and `_`. */
  name: string
  /** Minute, hour, day of month, month, day of week; UTC. */
  cron: string
  run: () => Promise<void>
  /** Seconds after which a silent run expires. Default 600. */
  expireSeconds?: number
}

/** Jobs of earlier versions, to unschedule. */
const FORMER = /^refresh_scores_/

/**
 * Registers jobs with a boss that was started with `schedules`, and runs them in this process. A failed run is not
 * retried before its next scheduled time.
 *
 * @param onRun        called after each run; the error is null when it succeeded
 * @param pollSeconds  interval of the check for a due run
 */
export async function startSchedules(
  boss: PgBoss,
  jobs: readonly ScheduledJob[],
  onRun: (job: string, seconds: number, error: Error | null) => void,
  pollSeconds = 5,
): Promise<void> {
  for (const { name } of await boss.getSchedules()) if (FORMER.test(name)) await boss.unschedule(name)
  for (const { name, cron, run, expireSeconds = 600 } of jobs) {
    await openQueue(boss, name, 'singleton')
    await boss.work(name, { pollingIntervalSeconds: pollSeconds }, async () => {
      const started = performance.now()
      const error = await run().then(
        () => null,
        (error: Error) => error,
      )
      onRun(name, (performance.now() - started) / 1000, error)
    })
    await boss.schedule(name, cron, {}, { tz: 'UTC', retryLimit: 0, expireInSeconds: expireSeconds })
  }
}
