// Pairs of paths, divided in steps: where rounding takes much of the output, two paths with luck are better than five
// without, and nothing tells which ones but trying them.
import { clearFlows, type Path, push } from './path.ts'

/** Shares of the whole that are tried for each pair. */
const STEPS = 100
const MOST_PATHS = 8

export interface PairDivision {
  paths: [Path, Path]
  inputs: [number, number]
  output: number
}

/** @returns the best division of each pair, the best first, at most `limit` */
export function bestPairs(paths: readonly Path[], amount: number, kept: number, limit: number): PairDivision[] {
  const some = paths.slice(0, MOST_PATHS)
  const inputs = Array.from({ length: STEPS - 1 }, (_, i) => Math.floor((amount * (i + 1)) / STEPS))
  const first = some.map((path) => inputs.map((input) => alone(path, input, kept)))
  const second = some.map((path) => inputs.map((input) => alone(path, amount - input, kept)))
  const found: PairDivision[] = []
  for (let a = 0; a < some.length; a++) {
    for (let b = 0; b < some.length; b++) {
      const [one, other] = [some[a] as Path, some[b] as Path]
      const isShared = one.some((edge) => other.includes(edge))
      // Both ways round: the first one's share is rounded down, and on a shared state it comes first.
      if (a === b) continue
      // What is behind the last one that would be kept is not looked at.
      let [best, at] = [found.length < limit ? 0 : (found[limit - 1] as PairDivision).output, -1]
      for (let i = 0; i < inputs.length; i++) {
        const input = inputs[i] as number
        // Sharing a venue costs, but for what rounding does.
        const apart = (first[a]?.[i] as number) + (second[b]?.[i] as number)
        if (!(apart > best)) continue
        const output = isShared ? together(one, input, other, amount - input, kept) : apart
        if (output > best) [best, at] = [output, i]
      }
      if (at < 0) continue
      const input = inputs[at] as number
      let place = found.length
      while (place > 0 && (found[place - 1] as PairDivision).output < best) place--
      found.splice(place, 0, { paths: [one, other], inputs: [input, amount - input], output: best })
      if (found.length > limit) found.pop()
    }
  }
  return found
}

/** NaN when the path cannot take the input. */
function alone(path: Path, input: number, kept: number): number {
  const output = input > 0 ? push(path, input, kept) : Number.NaN
  clearFlows(path)
  return output
}

function together(one: Path, input: number, other: Path, rest: number, kept: number): number {
  const output = input > 0 && rest > 0 ? push(one, input, kept) + push(other, rest, kept) : Number.NaN
  clearFlows(one)
  clearFlows(other)
  return output
}
