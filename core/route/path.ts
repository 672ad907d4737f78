// A path through pools and markets, and what flows along it in doubles. Flows lie on the edges themselves, so that
// paths which share an edge share its curve.
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'

export type Path = readonly Edge[]

/** Whether a hop starts a transfer of its own: only a pool after a pool does not. */
export function startsTransfer(path: Path, at: number): boolean {
  return at === 0 || !(path[at]?.isPool && path[at - 1]?.isPool)
}

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((edge, i) => edge === b[i])
}

export function clearFlows(path: Path): void {
  for (const edge of path) {
    edge.flow = 0
    edge.flowOut = 0
  }
}

/**
 * Adds an input to the flows of a path.
 *
 * @param kept  what each transfer but the first may spend of the expectation before it
 * @returns the output; NaN when the path cannot take the input
 */
export function push(path: Path, input: number, kept: number): number {
  let amount = Math.floor(input)
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount = Math.floor(amount * kept)
    if (amount < edge.least) return Number.NaN
    const output = edge.gain(amount)
    if (!(output > 0)) return Number.NaN
    edge.flow += amount
    edge.flowOut += output
    amount = output
  }
  return amount
}

const step: Slope = { rate: 0, bend: 0, room: 0 }

/** How the output of a path changes at its flows: with more input (`after`), or with less (`before`). */
export function slopeOf(path: Path, side: 'after' | 'before', kept: number, slope: Slope): void {
  let rate = 1
  let bend = 0
  let room = Number.POSITIVE_INFINITY
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) rate *= kept
    if (side === 'after') edge.curve.slopeAfter(edge.flow, step)
    else edge.curve.slopeBefore(edge.flow, step)
    // The chain rule: the bend of each curve counts by how much of a unit arrives there.
    bend += step.bend * rate
    room = Math.min(room, step.room / rate)
    rate *= step.rate
  }
  slope.rate = rate
  slope.bend = bend
  slope.room = room
}
