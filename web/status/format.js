// Formats figures and times.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function count(value) {
  return whole.format(value)
}

export function rough(value) {
  return short.format(value)
}

/** Five significant digits, without an exponent. */
export function figure(value) {
  if (value === 0) return '0'
  const size = Math.floor(Math.log10(Math.abs(value)))
  const digits = Math.min(20, Math.max(0, 4 - size))
  return new Intl.NumberFormat('en', { maximumFractionDigits: digits }).format(value)
}

/** Age in the largest unit that fits. */
export function age(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${count(seconds / 86_400)} days`
}

/** `03-18 09:41`, UTC. */
export function minute(milliseconds) {
  return new Date(milliseconds).toISOString().slice(5, 16).replace('T', ' ')
}
