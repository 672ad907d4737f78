// The hours of a page of answers by hour. Pure.

const HOUR = 3600

/**
 * The hours of a page, Unix seconds.
 *
 * @param time   of the block, Unix milliseconds
 * @param to     time in the last hour, Unix milliseconds; default: that of the block
 * @param limit  number of hours
 */
export function hoursUpTo(time: number, to: number | undefined, limit: number): { from: number; before: number } {
  const end = Math.min(Math.floor(time / 1000), Math.max(0, (to ?? Number.MAX_SAFE_INTEGER) / 1000))
  const last = Math.floor(end / HOUR) * HOUR
  return { from: Math.max(0, last - (limit - 1) * HOUR), before: last + HOUR }
}
