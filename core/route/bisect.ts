/**
 * Narrows down where whole numbers turn from one kind to the other.
 *
 * @param low    of the first kind
 * @param high   of the second kind, above `low`
 * @param isLow  whether a number between them is of the first kind
 * @returns two neighbours, one of each kind. Above 2^53 these are neighbours among doubles, which are more than a unit apart
 */
export function bisect(low: number, high: number, isLow: (middle: number) => boolean): [low: number, high: number] {
  let [below, above] = [low, high]
  for (;;) {
    const middle = Math.floor((below + above) / 2)
    if (middle <= below || middle >= above) return [below, above]
    if (isLow(middle)) below = middle
    else above = middle
  }
}
