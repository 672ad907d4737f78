// Curves of straight lines between points.

/** A point of a curve: input and value. */
export type CurvePoint = readonly [input: number, value: number]

/** The curve's value at an input; before the first point and behind the last one, that point's. Inputs of points rise. */
export function interpolate(curve: readonly CurvePoint[], input: number): number {
  const after = curve.findIndex(([at]) => input <= at)
  if (after < 0) return (curve.at(-1) as CurvePoint)[1]
  const [right, end] = curve[after] as CurvePoint
  if (after === 0) return end
  const [left, start] = curve[after - 1] as CurvePoint
  return start + ((input - left) / (right - left)) * (end - start)
}
