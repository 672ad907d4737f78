// Work that recurs beside indexing, in every process that indexes: of all processes with the same database, one does it
// at a time. Indexing goes on without it when the queue cannot be opened.
import { setTimeout as delay } from 'node:timers/promises'
import type { ChainConfig } from '../config/schema.ts'
import type { HeadwaterError } from '../core/errors.ts'
import { startBoss } from '../indexer/jobs/boss.ts'
import { cleanStagingJob } from '../indexer/jobs/clean-staging.ts'
import { countHoursJob } from '../indexer/jobs/count-hours.ts'
import { gatherStatisticsJob } from '../indexer/jobs/gather-statistics.ts'
import { quoteUsdJob } from '../indexer/jobs/quote-usd.ts'
import { type ScheduledJob, startSchedules } from '../indexer/jobs/schedules.ts'
import { boundReaders } from '../migrations/reader-sessions.ts'
import type { Log } from './cli/log.ts'
import { aborted } from './cli/shutdown.ts'
import { quoteServers } from './valuation.ts'

export interface Jobs {
  /** Lets a run under way end, for a few seconds; nothing starts any more. */
  stop(): Promise<void>
}

/** Between attempts, and between log lines of the same trouble. */
const RETRY_MS = 60_000
/** What a run under way gets at the end. */
const PATIENCE_MS = 4000
/** All in all; a shutdown may take ten seconds. */
const LONGEST_STOP_MS = 6000

interface JobsOptions {
  databaseUrl: string
  /** Chains whose own recurring work is done. */
  chains?: readonly ChainConfig[]
  log: Log
}

/** All recurring work of the indexer. */
function jobsOf({ databaseUrl, chains = [] }: JobsOptions): ScheduledJob[] {
  const quotes = chains.map((config) => ({ chain: config.chain, databaseUrl, servers: quoteServers(config) }))
  return [
    cleanStagingJob(databaseUrl),
    gatherStatisticsJob(databaseUrl),
    ...quotes.filter(({ servers }) => servers.length > 0).map(quoteUsdJob),
    ...chains.map(({ chain }) => countHoursJob({ chain, databaseUrl })),
  ]
}

/** Starts the recurring work in the background. Problems are logged and tried again, they end nothing. */
export function startJobs(options: JobsOptions): Jobs {
  const over = new AbortController()
  const running = Promise.all([keepOpen(options, over.signal), boundSessions(options, over.signal)])
  return {
    async stop() {
      over.abort()
      await running
    },
  }
}

async function keepOpen(options: JobsOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work(options, signal)
    } catch (error) {
      if (signal.aborted) return
      const { code, message, hint } = error as Partial<HeadwaterError>
      options.log.warn('recurring jobs do not run', { code, reason: message, hint, retryInSeconds: RETRY_MS / 1000 })
      await delay(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

/** Ends sessions of readers that are above their limits, until the signal comes. */
function boundSessions({ databaseUrl, log }: JobsOptions, signal: AbortSignal): Promise<void> {
  return boundReaders({
    databaseUrl,
    signal,
    onSession: ({ ended, ...session }) =>
      log.warn(ended ? 'ended the session of a reader' : 'may not end the session of a reader: see headwater check', {
        ...session,
      }),
    onError: seldom((error) => log.warn('sessions of readers are not bounded', { reason: error.message })),
  })
}

/** Works jobs off until the signal comes. */
async function work(options: JobsOptions, signal: AbortSignal): Promise<void> {
  const { databaseUrl, log } = options
  const onError = seldom((error: Error) => log.warn('the job queue has trouble', { reason: error.message }))
  const onFailed = (job: string, error: Error) => log.warn('a job failed', { job, reason: error.message })
  const boss = await startBoss({ databaseUrl, schedules: true, maintenanceSeconds: 60, onError })
  try {
    if (!signal.aborted) await startSchedules(boss, jobsOf(options), onFailed)
    await aborted(signal)
  } finally {
    const stopping = boss.stop({ graceful: true, wait: true, timeout: PATIENCE_MS })
    await Promise.race([stopping, delay(LONGEST_STOP_MS, undefined, { ref: false })])
  }
}

/** While the database is away every look into the queue fails: one of them is told. */
function seldom(tell: (error: Error) => void): (error: Error) => void {
  let last = Number.NEGATIVE_INFINITY
  return (error) => {
    if (performance.now() - last < RETRY_MS) return
    last = performance.now()
    tell(error)
  }
}
