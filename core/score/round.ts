// Rounding of numbers for display.

/** Rounds half away from zero to `digits` decimals, by the number's shortest text: 1.005 becomes 1.01. */
export function roundTo(value: number, digits: number): number {
  const [mantissa, exponent = '0'] = Math.abs(value).toString().split('e')
  const scaled = Number(`${mantissa}e${Number(exponent) + digits}`)
  // A double this large has no decimals at this position.
  if (!(scaled < Number.MAX_SAFE_INTEGER)) return value
  const rounded = Math.round(scaled)
  const [whole, power = '0'] = rounded.toString().split('e')
  const size = Number(`${whole}e${Number(power) - digits}`)
  return value < 0 && size > 0 ? -size : size
}
