// Recurring jobs next to indexing. Every indexing process runs them; for each database, one process at a time does the
// work. If the queue cannot be opened, indexing continues without jobs.
import { setTimeout as delay } from 'node:timers/promises'
import type { ChainConfig } from '../config/schema.ts'
import type { HeadwaterError } from '../core/errors.ts'
import { startBoss } from '../indexer/jobs/boss.ts'
import { cleanStagingJob } from '../indexer/jobs/clean-staging.ts'
import { countHoursJob } from '../indexer/jobs/count-hours.ts'
import { digestRangesJob } from '../indexer/jobs/digest-ranges.ts'
import { gatherStatisticsJob } from '../indexer/jobs/gather-statistics.ts'
import { quoteUsdJob } from '../indexer/jobs/quote-usd.ts'
import { refreshBoardJobs } from '../indexer/jobs/refresh-boards.ts'
import { type ScheduledJob, startSchedules } from '../indexer/jobs/schedules.ts'
import type { JobMetrics } from '../indexer/operate/job-metrics.ts'
import { boundReaders } from '../migrations/reader-sessions.ts'
import type { Log } from './cli/log.ts'
import { aborted } from './cli/shutdown.ts'
import { quoteServers } from './valuation.ts'

export interface Jobs {
  /** Starts no more jobs, and waits a few seconds for running ones. */
  stop(): Promise<void>
}

/** Interval between attempts, and between log lines about the same problem, ms. */
const RETRY_MS = 60_000
/** Time that a running job gets at shutdown, ms. */
const GRACE_MS = 4000
/** Maximum duration of `stop`, ms; a shutdown may take ten seconds. */
const MAX_STOP_MS = 6000

interface JobsOptions {
  databaseUrl: string
  /** Chains with recurring jobs of their own. */
  chains?: readonly ChainConfig[]
  log: Log
  metrics?: JobMetrics
}

/** All recurring work of the indexer. */
function jobsOf({ databaseUrl, chains = [] }: JobsOptions): ScheduledJob[] {
  const quotes = chains.map((config) => ({ chain: config.chain, databaseUrl, servers: quoteServers(config) }))
  return [
    cleanStagingJob(databaseUrl),
    gatherStatisticsJob(databaseUrl),
    ...quotes.filter(({ servers }) => servers.length > 0).map(quoteUsdJob),
    ...chains.map(({ chain }) => countHoursJob({ chain, databaseUrl })),
    ...chains.map(({ chain }) => digestRangesJob({ chain, databaseUrl })),
    ...(chains.length > 0 ? refreshBoardJobs(databaseUrl) : []),
  ]
}

/** Starts the jobs in the background. Failures are logged and retried; they do not end the process. */
export function startJobs(options: JobsOptions): Jobs {
  const over = new AbortController()
  const jobs = jobsOf(options)
  // Before the queue is open: without it a job does not run, which the alert HeadwaterJobStale has to see.
  for (const { name } of jobs) options.metrics?.add(name)
  const running = Promise.all([keepOpen(options, jobs, over.signal), boundSessions(options, over.signal)])
  return {
    async stop() {
      over.abort()
      await running
    },
  }
}

async function keepOpen(options: JobsOptions, jobs: readonly ScheduledJob[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work(options, jobs, signal)
    } catch (error) {
      if (signal.aborted) return
      const { code, message, hint } = error as Partial<HeadwaterError>
      options.metrics?.ran('queue', 0, false)
      options.log.warn('recurring jobs do not run', { code, reason: message, hint, retryInSeconds: RETRY_MS / 1000 })
      await delay(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

/** Ends readers' sessions that exceed their limits, until the signal is aborted. */
function boundSessions({ databaseUrl, log }: JobsOptions, signal: AbortSignal): Promise<void> {
  return boundReaders({
    databaseUrl,
    signal,
    onSession: ({ ended, ...session }) =>
      log.warn(ended ? 'ended the session of a reader' : 'may not end the session of a reader: see headwater check', {
        ...session,
      }),
    onError: throttled((error) => log.warn('sessions of readers are not bounded', { reason: error.message })),
  })
}

/** Runs jobs until the signal is aborted. */
async function work(options: JobsOptions, jobs: readonly ScheduledJob[], signal: AbortSignal): Promise<void> {
  const { databaseUrl, log, metrics } = options
  const onError = throttled((error: Error) => log.warn('the job queue has trouble', { reason: error.message }))
  const onRun = (job: string, seconds: number, error: Error | null) => {
    metrics?.ran(job, seconds, error === null)
    if (error !== null) log.warn('a job failed', { job, reason: error.message })
  }
  const boss = await startBoss({ databaseUrl, schedules: true, maintenanceSeconds: 60, onError })
  try {
    if (!signal.aborted) await startSchedules(boss, jobs, onRun)
    await aborted(signal)
  } finally {
    const stopping = boss.stop({ graceful: true, wait: true, timeout: GRACE_MS })
    await Promise.race([stopping, delay(MAX_STOP_MS, undefined, { ref: false })])
  }
}

/** Limits log lines: while the database is down, every poll of the queue fails. */
function throttled(write: (error: Error) => void): (error: Error) => void {
  let last = Number.NEGATIVE_INFINITY
  return (error) => {
    if (performance.now() - last < RETRY_MS) return
    last = performance.now()
    write(error)
  }
}
