// Piecewise linear curves.

/** A point of a curve: input and value. */
export type CurvePoint = readonly [input: number, value: number]

/**
 * The curve's value at an input; constant before the first point and after the last. Points must have ascending inputs.
 */
export function interpolate(curve: readonly CurvePoint[], input: number): number {
  const after = curve.findIndex(([at]) => input <= at)
  if (after < 0) return (curve.at(-1) as CurvePoint)[1]
  const [right, end] = curve[after] as CurvePoint
  if (after === 0) return end
  const [left, start] = curve[after - 1] as CurvePoint
  return start + ((input - left) / (right - left)) * (end - start)
}
