// Makes a chain's token scores anew every hour. It looks every minute, so that an hour that was missed is made up for.
import { refreshScores, type ScoreOptions } from '../derive/scores/refresh.ts'
import type { ScheduledJob } from './schedules.ts'

export function refreshScoresJob(options: ScoreOptions): ScheduledJob {
  const run = async () => void (await refreshScores(options))
  return { name: `refresh_scores_${options.chain}`, cron: '* * * * *', run }
}
