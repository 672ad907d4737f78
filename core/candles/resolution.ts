// Resolutions of candles and their buckets: minutes from the epoch, days, weeks from Monday and calendar months, UTC.

/** From one minute to a month; `meta.resolutions` has the same ones. */
export const RESOLUTIONS = ['1', '5', '15', '30', '60', '240', '1D', '1W', '1M'] as const

export type Resolution = (typeof RESOLUTIONS)[number]

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const WEEK = 7 * DAY
/** 1970-01-05, the first Monday. */
const FIRST_MONDAY = 4 * DAY

/** Length of a bucket of any resolution but months, in milliseconds. */
function length(resolution: Exclude<Resolution, '1M'>): number {
  if (resolution === '1D') return DAY
  return resolution === '1W' ? WEEK : Number(resolution) * MINUTE
}

/** How to go from a bucket to the next, as PostgreSQL reads intervals. */
export function stepInterval(resolution: Resolution): string {
  if (resolution === '1M') return '1 month'
  return `${length(resolution) / MINUTE} minutes`
}

/** Start of the bucket that holds a time; both in Unix milliseconds. */
export function bucketStart(resolution: Resolution, at: number): number {
  if (resolution === '1M') {
    const date = new Date(at)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  }
  const offset = resolution === '1W' ? FIRST_MONDAY : 0
  return at - mod(at - offset, length(resolution))
}

/** Start of the bucket that is `count` after the one at `bucket`; negative counts go back. */
export function shiftBucket(resolution: Resolution, bucket: number, count: number): number {
  if (resolution !== '1M') return bucket + count * length(resolution)
  const date = new Date(bucket)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count)
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by
}
