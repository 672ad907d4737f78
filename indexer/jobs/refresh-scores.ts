// Makes a chain's token scores anew every hour. It looks every minute, so that an hour that was missed is made up for.
import { refreshScores, type ScoreOptions } from '../derive/scores/refresh.ts'
import type { ScheduledJob } from './schedules.ts'

/** How long the first scores of a chain wait for the end of its history, milliseconds. */
const PATIENCE = 600_000

export function refreshScoresJob(options: ScoreOptions): ScheduledJob {
  const since = performance.now()
  let last: number | null = null
  const isInHistory = (lib: number) => {
    const moves = lib !== last
    last = lib
    return moves && performance.now() - since < PATIENCE
  }
  const run = async () => void (await refreshScores({ ...options, isInHistory }))
  return { name: `refresh_scores_${options.chain}`, cron: '* * * * *', run }
}
