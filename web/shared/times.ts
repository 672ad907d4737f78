// Times as pages show them. Pure, except that local times use the time zone of the browser.

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** Age in the largest unit that fits: `8 s`, `5 min`, `3 h`, `12 d`. */
export function age(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`
  if (whole < 2 * DAY) return `${Math.floor(whole / HOUR)} h`
  return `${Math.floor(whole / DAY).toLocaleString('en')} d`
}

/** `2026-11-26 04:43:59 UTC`; with milliseconds when there are any. */
export function utc(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString()
  const end = text.endsWith('.000Z') ? 19 : 23
  return `${text.slice(0, 10)} ${text.slice(11, end)} UTC`
}

/**
 * Date and time of the day in a time zone.
 *
 * @param now  Unix milliseconds; on the same day only the time is shown
 * @param zone  default: that of the browser
 */
export function local(milliseconds: number, now: number, zone?: string): string {
  const { day, time } = formatsOf(zone)
  const date = day.format(milliseconds)
  return date === day.format(now) ? time.format(milliseconds) : `${date} ${time.format(milliseconds)}`
}

interface Formats {
  day: Intl.DateTimeFormat
  time: Intl.DateTimeFormat
}

/** By time zone. To make one takes a hundred times as long as to use it, and a page shows thousands of times. */
const formats = new Map<string | undefined, Formats>()

function formatsOf(timeZone: string | undefined): Formats {
  const known = formats.get(timeZone)
  if (known) return known
  const made = {
    day: new Intl.DateTimeFormat('en-CA', { timeZone }),
    time: new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }),
  }
  formats.set(timeZone, made)
  return made
}
