// Counts each hour of a chain once it is irreversible. Runs every minute, and catches up on missed hours.
import { type CountOptions, countHours } from '../derive/hours/count.ts'
import type { ScheduledJob } from './schedules.ts'

export function countHoursJob(options: CountOptions): ScheduledJob {
  const run = async () => void (await countHours(options))
  return { name: `count_hours_${options.chain}`, cron: '* * * * *', run }
}
