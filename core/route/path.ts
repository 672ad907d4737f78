// A path through pools and markets, and flows along it in doubles. Flows lie on the edges themselves, so that paths with a
// common edge share its curve.
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'
import { MAX_HOPS, RATIO } from './model.ts'

export type Path = readonly Edge[]

/** The largest shares of an amount that are tried, less than all of it. */
export function sharesOf(count: number): number[] {
  return Array.from({ length: count }, (_, i) => RATIO ** -(i + 1))
}

/** Whether a hop starts a transfer of its own: only a pool after a pool does not. */
export function startsTransfer(path: Path, at: number): boolean {
  return at === 0 || !((path[at] as Edge).isPool && (path[at - 1] as Edge).isPool)
}

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((edge, i) => edge === b[i])
}

/** Each path once. */
export function distinct(paths: readonly Path[]): Path[] {
  return paths.filter((path, i) => paths.findIndex((known) => samePath(known, path)) === i)
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
 * Adds an input to the flows of a path.
 *
 * @param guaranteed     share of a transfer's quoted output that the next may spend
 * @param rounded  whether all amounts are whole units, rounded as the contracts do; otherwise a little more input always
 *                 gives a little more, and what exceeds the capacity of a venue gives nothing
 * @returns the output; NaN when the path cannot take the input: flows are then to be cleared
 */
export function pour(path: Path, input: number, guaranteed: number, rounded: boolean): number {
  let amount = input
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount *= guaranteed
    if (rounded) amount = Math.floor(amount)
    if (amount < edge.minimum) return Number.NaN
    const output = rounded ? edge.gain(amount) : edge.curve.smooth(edge.flow + amount) - edge.flowOut
    if (!(output >= (rounded ? 1 : 0))) return Number.NaN
    edge.flow += rounded ? edge.curve.entering(amount) : amount
    edge.flowOut += output
    amount = output
  }
  return amount
}

/** Rounded output of inputs over paths without flows, one after the other, like `pour`. Leaves no flows. */
export function outputOf(paths: readonly Path[], inputs: readonly number[], guaranteed: number): number {
  let sum = 0
  for (let i = 0; i < paths.length && sum >= 0; i++)
    if ((inputs[i] as number) > 0) sum += pour(paths[i] as Path, inputs[i] as number, guaranteed, true)
  for (const path of paths) clearFlows(path)
  return sum
}

/** How the output of a path changes with its input. */
export interface PathSlope {
  /** Output per input at the margin; 0 for more input where a venue is full. */
  rate: number
  /** The rate if no venue were full: what counts when another path gives way there. */
  open: number
  /** Input up to the next border of a piece on the way. */
  room: number
  /** The first venue on the way that is full. */
  full: Edge | null
  /** By hop: units that arrive for one more unit of input, final output for one more unit that leaves, curvature. */
  arriving: Float64Array
  onward: Float64Array
  curvature: Float64Array
}

export function pathSlope(): PathSlope {
  const list = () => new Float64Array(MAX_HOPS)
  return { rate: 0, open: 0, room: 0, full: null, arriving: list(), onward: list(), curvature: list() }
}

const step: Slope = { rate: 0, bend: 0, room: 0 }

/** Slope of a path at its flows, by the chain rule: with more input (direction 1), or with less (−1). */
export function slopeOf(path: Path, direction: 1 | -1, guaranteed: number, slope: PathSlope): void {
  let [rate, room] = [1, Number.POSITIVE_INFINITY]
  slope.full = null
  for (let h = 0; h < path.length; h++) {
    const edge = path[h] as Edge
    if (h > 0 && startsTransfer(path, h)) rate *= guaranteed
    const { curve, flow } = edge
    curve.slope(flow, direction, rate, step)
    if (direction === 1 && !(step.rate > 0)) {
      slope.full ??= edge
      curve.slope(flow, -1, rate, step)
    }
    slope.arriving[h] = rate
    slope.onward[h] = step.rate
    slope.curvature[h] = step.rate * step.bend
    room = Math.min(room, step.room / rate)
    rate *= step.rate
  }
  slope.rate = slope.full === null ? rate : 0
  slope.open = rate
  slope.room = room
  let after = 1
  for (let h = path.length - 1; h >= 0; h--) {
    const own = slope.onward[h] as number
    slope.onward[h] = after
    after *= h > 0 && startsTransfer(path, h) ? own * guaranteed : own
  }
}

/**
 * How much faster the rate of one path falls with its own input for each unit of input on the other one: by the edges
 * that lie on both.
 */
export function commonBend(one: Path, slope: PathSlope, other: Path, otherSlope: PathSlope): number {
  let sum = 0
  for (let h = 0; h < one.length; h++) {
    const k = one === other ? h : other.indexOf(one[h] as Edge)
    if (k < 0) continue
    const onward = Math.sqrt((slope.onward[h] as number) * (otherSlope.onward[k] as number))
    const curvature = Math.sqrt((slope.curvature[h] as number) * (otherSlope.curvature[k] as number))
    sum += (slope.arriving[h] as number) * (otherSlope.arriving[k] as number) * onward * curvature
  }
  return sum
}
