// The same flows over fewer paths. What lies on the edges of a division can be led along other paths: where two paths come
// to a token and two go on from it, any way to join them gives about the same. With few parts to use it matters which: the
// widest paths carry most of it.
import type { Edge } from './graph.ts'
import { type Path, samePath, startsTransfer } from './path.ts'
import type { Split } from './split.ts'

const MOST_HOPS = 3
const MOST_PATHS = 16
/** A path that would carry less than this share of the input is not worth one. */
const LEAST_SHARE = 1e-4

interface Wide {
  path: Edge[]
  input: number
}

/**
 * Leads the flows of a division along the widest paths, one after the other.
 *
 * @returns null when these are the paths that it has. The inputs add up to the same; no flows are left
 */
export function recombine(split: Split): Split | null {
  split.execute()
  const rest = new Map<Edge, number>()
  const rates = new Map<Edge, number>()
  split.paths.forEach((path, i) => {
    if (!((split.inputs[i] as number) > 0)) return
    for (const edge of path) {
      rest.set(edge, edge.flow)
      rates.set(edge, edge.flowOut / edge.flow)
    }
  })
  split.clear()
  const first = split.paths[0] as Path
  const [input, output] = [(first[0] as Edge).from, (first[first.length - 1] as Edge).to]
  const whole = split.inputs.reduce((sum, part) => sum + part, 0)

  const widest = (): Wide => {
    const best: Wide = { path: [], input: 0 }
    const path: Edge[] = []
    /** @param most  input that can come so far, @param rate  what arrives of a unit of input */
    const walk = (most: number, rate: number): void => {
      const at = path.length === 0 ? input : (path[path.length - 1] as Edge).to
      for (const [edge, left] of rest) {
        if (edge.from !== at || edge.to === input || path.some(({ from }) => from === edge.to)) continue
        path.push(edge)
        const entering = startsTransfer(path, path.length - 1) && path.length > 1 ? rate * split.kept : rate
        const through = Math.min(most, left / entering)
        if (through > best.input) {
          if (edge.to === output) [best.path, best.input] = [path.slice(), through]
          else if (path.length < MOST_HOPS) walk(through, entering * (rates.get(edge) as number))
        }
        path.pop()
      }
    }
    walk(whole, 1)
    return best
  }

  const found: Wide[] = []
  let left = whole
  while (found.length < MOST_PATHS) {
    const wide = widest()
    if (!(wide.input > whole * LEAST_SHARE)) break
    found.push(wide)
    left -= wide.input
    let amount = wide.input
    wide.path.forEach((edge, i) => {
      if (i > 0 && startsTransfer(wide.path, i)) amount *= split.kept
      rest.set(edge, (rest.get(edge) as number) - amount)
      amount *= rates.get(edge) as number
    })
  }
  const [largest] = found
  if (largest === undefined || !split.lacks(found.map(({ path }) => path))) return null
  largest.input += left
  return split.over(
    found.map(({ path }) => path),
    found.map(({ input }) => input),
  )
}

/** Paths that begin like one that is used and end like another one, from a token on that both cross. */
export function joins(split: Split): Path[] {
  const used = split.paths.filter((_, i) => (split.inputs[i] as number) > 0)
  const found: Path[] = []
  for (const first of used) {
    for (const second of used) {
      for (let at = 1; at < first.length; at++) {
        const from = second.findIndex((edge, i) => i > 0 && edge.from === (first[at] as Edge).from)
        if (from < 0 || second[from] === first[at]) continue
        const path = [...first.slice(0, at), ...second.slice(from)]
        const isSimple = path.every((edge, i) => path.findIndex(({ to }) => to === edge.to) === i)
        if (path.length <= MOST_HOPS && isSimple && ![...split.paths, ...found].some((known) => samePath(known, path)))
          found.push(path)
      }
    }
  }
  return found
}
