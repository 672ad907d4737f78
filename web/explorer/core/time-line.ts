// A line through values over time, as the path of an SVG. Pure.

interface Point {
  /** Unix milliseconds. */
  time: number
  /** Null: not known; the line has a gap there. */
  value: number | null
}

/**
 * Path of a line that fills a box, with a gap where values are not known. The height goes from the least to the greatest
 * value; a line of one value is in the middle.
 *
 * @param points  ascending
 * @returns empty when less than two values are known
 */
export function linePath(points: readonly Point[], width: number, height: number): string {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]))
  const [first, last] = [points[0], points.at(-1)]
  if (known.length < 2 || first === undefined || last === undefined) return ''
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const x = (time: number) => ((time - first.time) / (last.time - first.time)) * width
  const y = (value: number) => (high === low ? height / 2 : height - ((value - low) / (high - low)) * height)
  let isOpen = false
  return points
    .flatMap(({ time, value }) => {
      if (value === null) {
        isOpen = false
        return []
      }
      const step = `${isOpen ? 'L' : 'M'}${x(time).toFixed(2)} ${y(value).toFixed(2)}`
      isOpen = true
      return [step]
    })
    .join('')
}
