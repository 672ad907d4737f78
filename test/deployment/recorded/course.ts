// A record as input of promtool, with its continuation: rules that look back for hours, or wait for minutes, see more time
// than was recorded.
import { type AlertRecord, SCRAPE_SECONDS } from './record.ts'

/**
 * Clock of the rules at the first scrape, in seconds: times of the record that lie before it, such as the start of a process,
 * have to be above 0, and a time of 0, which means never, has to be longer ago than any limit.
 */
const FIRST_SCRAPE = 3 * 3600
/** Functions of PromQL that read the clock or the time of a sample. */
const OTHER_CLOCKS = /\b(timestamp|minute|hour|day_of_\w+|days_in_month|month|year)\s*\(/
/** Scrapes at the end of the record whose course is continued. */
const LAST = 8

export interface Course {
  input_series: { series: string; values: string }[]
  /** Seconds from the first scrape to the last scrape before the fault. */
  faultTime: number
  /** Seconds from the first scrape to the end of the continuation. */
  endTime: number
}

/**
 * Rules whose clock shows FIRST_SCRAPE when that of promtool, which begins at 0, starts: promtool would take most of its time
 * for hours without a sample.
 *
 * @param rules  text of the file
 */
export function withClock(rules: string): string {
  const [other] = OTHER_CLOCKS.exec(rules) ?? []
  if (other !== undefined) throw new Error(`the rules read the clock by ${other}), which cannot be moved`)
  return rules.replaceAll(/\btime\(\)/g, `(time() + ${FIRST_SCRAPE})`)
}

/** @param seconds  length of the continuation */
export function courseOf(record: AlertRecord, seconds: number): Course {
  const more = seconds / SCRAPE_SECONDS
  const origin = record.start - FIRST_SCRAPE
  const input_series = Object.entries(record.series).map(([series, values]) => {
    const shifted = isTime(series) ? values.map((value) => (value ? rounded(value - origin) : value)) : values
    return { series, values: `${written(shifted)}${continued(series, shifted, more)}` }
  })
  const faultTime = (record.healthy - 1) * SCRAPE_SECONDS
  return { input_series, faultTime, endTime: (record.scrapes - 1 + more) * SCRAPE_SECONDS }
}

/** Values that are Unix seconds; 0 means never. */
const isTime = (series: string): boolean => /^\w+_(timestamp|time)_seconds\b/.test(series)
/** Values that only grow. */
const isCounter = (series: string): boolean => /^\w+_(total|count|sum|bucket)\b/.test(series)
/** Values that are a duration, such as an age or the time to a deadline. */
const isDuration = (series: string): boolean => /^\w+_seconds\b/.test(series) && !isTime(series)

const rounded = (value: number): number => Number(value.toPrecision(9))

function written(values: readonly (number | null)[]): string {
  return values
    .map((value, i) => (value === null ? (i > 0 && values[i - 1] !== null ? 'stale' : '_') : String(value)))
    .join(' ')
}

/**
 * The course after the record: counters grow at their mean rate of the last two minutes; times, ages and times to a deadline
 * that moved with the clock move on with it; every other value stays.
 */
function continued(series: string, values: readonly (number | null)[], more: number): string {
  const last = values.at(-1) ?? null
  if (last === null || more === 0) return ''
  const step = rounded(stepOf(series, values))
  const first = rounded(last + step)
  return ` ${first}${step < 0 ? '-' : '+'}${Math.abs(step)}x${more - 1}`
}

function stepOf(series: string, values: readonly (number | null)[]): number {
  const end = values.slice(-LAST).filter((value) => value !== null)
  const mean = end.length < 2 ? 0 : ((end.at(-1) as number) - (end[0] as number)) / (end.length - 1)
  if (isCounter(series)) return Math.max(0, mean)
  const isOfTheClock = Math.abs(Math.abs(mean) - SCRAPE_SECONDS) < SCRAPE_SECONDS / 4
  return isOfTheClock && (isDuration(series) || isTime(series)) ? Math.sign(mean) * SCRAPE_SECONDS : 0
}
