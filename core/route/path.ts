// A path through pools and markets, and flows along it in doubles. Flows lie on the edges themselves, so that paths with a
// common edge share its curve.
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'
import { MAX_HOPS } from './model.ts'

export type Path = readonly Edge[]

/** Units of input for which a margin is asked: a border nearer than that is passed. */
const PROBE = 1e-3

/** Whether a hop starts a transfer of its own: only a pool after a pool does not. */
export function startsTransfer(path: Path, at: number): boolean {
  return at === 0 || !((path[at] as Edge).isPool && (path[at - 1] as Edge).isPool)
}

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((edge, i) => edge === b[i])
}

export function sharesEdge(a: Path, b: Path): boolean {
  return a.some((edge) => b.includes(edge))
}

export function clearFlows(path: Path): void {
  for (const edge of path) {
    edge.flow = 0
    edge.flowOut = 0
  }
}

/**
 * Adds an input to the flows of a path, rounded as the contracts do.
 *
 * @param kept  the share of an expectation that the next transfer may spend
 * @returns whole units of output; NaN when the path cannot take the input: flows are then to be cleared
 */
export function push(path: Path, input: number, kept: number): number {
  let amount = Math.floor(input)
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount = Math.floor(amount * kept)
    if (amount < edge.minimum) return Number.NaN
    const output = edge.gain(amount)
    if (!(output > 0)) return Number.NaN
    edge.flow += edge.curve.entering(amount)
    edge.flowOut += output
    amount = output
  }
  return amount
}

/** Like `push` for a path without flows, and leaves none. */
export function outputAlone(path: Path, input: number, kept: number): number {
  let amount = Math.floor(input)
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount = Math.floor(amount * kept)
    if (amount < edge.minimum) return Number.NaN
    amount = edge.curve.output(amount)
    if (!(amount > 0)) return Number.NaN
  }
  return amount
}

/**
 * Adds an input to the flows of a path without rounding, so that a little more input always gives a little more. What
 * exceeds the capacity of a venue gives nothing.
 *
 * @returns the output; NaN when the path takes nothing
 */
export function pour(path: Path, input: number, kept: number): number {
  let amount = input
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount *= kept
    if (amount < edge.minimum) return Number.NaN
    const output = edge.curve.smooth(edge.flow + amount) - edge.flowOut
    if (!(output >= 0)) return Number.NaN
    edge.flow += amount
    edge.flowOut += output
    amount = output
  }
  return amount
}

/** How the output of a path changes with its input. */
export interface PathSlope extends Slope {
  /** The first venue on the way that is full: nothing can be added. */
  full: Edge | null
  /** The rate if no venue were full: what counts when another path gives way there. */
  open: number
  /** By hop: its share of the bend. */
  bends: Float64Array
}

export function pathSlope(): PathSlope {
  return { rate: 0, bend: 0, room: 0, full: null, open: 0, bends: new Float64Array(MAX_HOPS) }
}

const step: Slope = { rate: 0, bend: 0, room: 0 }

/** Slope of a path at its flows, by the chain rule: with more input (`after`), or with less (`before`). */
export function slopeOf(path: Path, side: 'after' | 'before', kept: number, slope: PathSlope): void {
  let [rate, bend, room] = [1, 0, Number.POSITIVE_INFINITY]
  slope.full = null
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) rate *= kept
    if (measureEdge(edge, side, rate, step) && slope.full === null) slope.full = edge
    // The bend of each curve counts by how much of a unit arrives there.
    const own = step.bend * rate
    slope.bends[i] = own
    bend += own
    room = Math.min(room, step.room / rate)
    rate *= step.rate
  }
  slope.rate = slope.full === null ? rate : 0
  slope.open = rate
  slope.bend = bend
  slope.room = room
}

/**
 * How fast the gain of a move between two paths falls, per unit. An edge on both paths keeps its flow, so that its
 * bend counts only as far as it counts differently for the two.
 *
 * @param less  slope of the path that gives way
 * @param more  slope of the path that takes over
 */
export function bendOfMove(from: Path, less: PathSlope, to: Path, more: PathSlope): number {
  let sum = less.rate * less.bend + more.open * more.bend
  for (let i = 0; i < from.length; i++) {
    const k = to.indexOf(from[i] as Edge)
    if (k < 0) continue
    sum -= 2 * Math.sqrt(less.rate * (less.bends[i] as number) * more.open * (more.bends[k] as number))
  }
  return sum
}

/**
 * Slope of an edge at its flow; of a full edge that before its end.
 *
 * @param arriving  units that arrive there for one unit of the path's input
 * @returns whether it is full
 */
export function measureEdge({ curve, flow }: Edge, side: 'after' | 'before', arriving: number, slope: Slope): boolean {
  if (side === 'before') curve.slopeBefore(flow, PROBE * arriving, slope)
  else curve.slopeAfter(flow, PROBE * arriving, slope)
  if (side === 'before' || slope.rate > 0) return false
  curve.slopeBefore(flow, PROBE * arriving, slope)
  return true
}
