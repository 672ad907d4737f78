// Updates the USD price of a chain's system token from quote servers, every minute.
import { type QuoteOptions, quoteUsd } from '../value/http-quotes.ts'
import type { ScheduledJob } from './schedules.ts'

export function quoteUsdJob(options: QuoteOptions): ScheduledJob {
  const run = async () => void (await quoteUsd(options))
  return { name: `quote_usd_${options.chain}`, cron: '* * * * *', run, expireSeconds: 55 }
}
