// Counts each hour of a chain once it is irreversible. It looks every minute, so that hours that were missed are made up for.
import { type CountOptions, countHours } from '../derive/hours/count.ts'
import type { ScheduledJob } from './schedules.ts'

export function countHoursJob(options: CountOptions): ScheduledJob {
  const run = async () => void (await countHours(options))
  return { name: `count_hours_${options.chain}`, cron: '* * * * *', run }
}
