// Pairs of paths, divided in steps: where rounding takes much of the output, two paths with luck are better than five
// without, and nothing tells which ones but trying them.
import { bisect } from './bisect.ts'
import { clearFlows, outputAlone, type Path, push } from './path.ts'

/** Shares of the whole that are tried for each pair. */
const STEPS = 100

export interface PairDivision {
  paths: [Path, Path]
  inputs: [number, number]
  output: number
}

/**
 * @param isSnug  whether the parts are then made as small as their outputs allow
 * @returns the best division of each pair, the best first, at most `limit`
 */
export function bestPairs(
  some: readonly Path[],
  amount: number,
  kept: number,
  limit: number,
  isSnug = false,
): PairDivision[] {
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
      let input = inputs[at] as number
      if (isSnug && !isShared) [input, best] = snug(one, other, input, amount, kept, best)
      let place = found.length
      while (place > 0 && (found[place - 1] as PairDivision).output < best) place--
      found.splice(place, 0, { paths: [one, other], inputs: [input, amount - input], output: best })
      if (found.length > limit) found.pop()
    }
  }
  return found
}

/** Where outputs go up in stairs: what the one or the other does not need goes to the other one. @returns input and output */
function snug(one: Path, other: Path, input: number, amount: number, kept: number, best: number): [number, number] {
  const least = leastFor(one, input, kept)
  const most = amount - leastFor(other, amount - input, kept)
  return [least, most]
    .map((part): [number, number] => [part, alone(one, part, kept) + alone(other, amount - part, kept)])
    .reduce((found, trial) => (trial[1] > found[1] ? trial : found), [input, best])
}

/** The least input that gives as much. */
function leastFor(path: Path, input: number, kept: number): number {
  const output = alone(path, input, kept)
  return bisect(0, input, (part) => !(alone(path, part, kept) >= output))[1]
}

/** NaN when the path cannot take the input. */
function alone(path: Path, input: number, kept: number): number {
  return input > 0 ? outputAlone(path, input, kept) : Number.NaN
}

function together(one: Path, input: number, other: Path, rest: number, kept: number): number {
  const output = input > 0 && rest > 0 ? push(one, input, kept) + push(other, rest, kept) : Number.NaN
  clearFlows(one)
  clearFlows(other)
  return output
}
