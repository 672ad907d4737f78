// Ranges of the chart's scales, where those of the library show equal labels or lines in the middle. Pure.

interface Scale {
  priceRange: { minValue: number; maxValue: number } | null
}

/** Share of the price that the scale of a flat chart has above and below it: else all of its labels are equal. */
const FLAT_SHARE = 0.01

/** The range of a scale, wider where all prices are about equal. */
export function priceScaleOf<S extends Scale>(original: () => S | null): S | null {
  const info = original()
  if (!info?.priceRange) return info
  const { minValue, maxValue } = info.priceRange
  const least = maxValue * FLAT_SHARE
  if (maxValue - minValue >= least) return info
  const middle = (minValue + maxValue) / 2
  return { ...info, priceRange: { minValue: middle - least, maxValue: middle + least } }
}

/** Volumes from zero. Without any, their lines stand at the bottom too. */
export function volumeScaleOf<S extends Scale>(original: () => S | null): S | null {
  const info = original()
  if (!info?.priceRange) return info
  return { ...info, priceRange: { minValue: 0, maxValue: info.priceRange.maxValue || 1 } }
}
