// Suggests the intended word for a misspelled one.

/**
 * The nearest candidate by edit distance; undefined when more than about a third of its letters differ.
 *
 * @param startOf  number of first letters of word and candidate that are not compared; default: none
 */
export function suggest(
  word: string,
  candidates: Iterable<string>,
  startOf: (candidate: string) => number = () => 0,
): string | undefined {
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const start = startOf(candidate)
    const [given, known] = [word, candidate].map((text) => text.slice(start).toLowerCase()) as [string, string]
    const distance = editDistance(given, known)
    if (distance < bestDistance && distance <= Math.ceil(known.length / 3)) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/**
 * As `suggest`, for names of parts with `_`: parts at the beginning that both names have do not count as similar, so
 * HEADWATER_WAX_FOO is not near HEADWATER_WAX_ABIS.
 */
export function suggestAfterPrefix(word: string, candidates: Iterable<string>): string | undefined {
  return suggest(word, candidates, (candidate) => sharedParts(word, candidate))
}

/** Length of the parts that both names begin with. */
function sharedParts(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.lastIndexOf('_', length - 1) + 1
}

/** Levenshtein distance: insertions, deletions and substitutions of one letter. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[column] as number) + 1, (current[column - 1] as number) + 1))
    }
    previous = current
  }
  return previous[b.length] as number
}
