// A path through pools and markets, and what flows along it in doubles. Flows lie on the edges themselves, so that
// paths which share an edge share its curve.
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'

/** Share of what a venue takes from which on it counts as full. */
const FULL = 0.999

export type Path = readonly Edge[]

/** What is asked at a margin, in units of input: a border nearer than that is behind it. */
export const PROBE = 1e-3

/** How often less is tried where a path cannot take an input. */
const FILLS = 6

/** Whether a hop starts a transfer of its own: only a pool after a pool does not. */
export function startsTransfer(path: Path, at: number): boolean {
  return at === 0 || !((path[at] as Edge).isPool && (path[at - 1] as Edge).isPool)
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
  return lay(path, input, kept, false)
}

/**
 * The same for a division that is not yet as it shall be: what cannot be taken gives nothing more, and nothing is
 * rounded to units, so that a little more input always gives a little more.
 *
 * @returns the output; NaN when the path takes nothing
 */
export function pour(path: Path, input: number, kept: number): number {
  let amount = input
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount *= kept
    if (amount < edge.least) return Number.NaN
    const output = edge.smoothGainUpTo(amount)
    if (!(output >= 0)) return Number.NaN
    edge.flow += amount
    edge.flowOut += output
    amount = output
  }
  return amount
}

/** Adds an input to the flows of a path as `push` does, each hop to the unit. */
export function pushExactly(path: Path, input: number, kept: number): number {
  return lay(path, input, kept, true)
}

function lay(path: Path, input: number, kept: number, isExact: boolean): number {
  let amount = Math.floor(input)
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount = Math.floor(amount * kept)
    if (amount < edge.least) return Number.NaN
    const output = isExact ? edge.exactGain(amount) : edge.gain(amount)
    if (!(output > 0)) return Number.NaN
    edge.flow += edge.curve.entering(amount)
    edge.flowOut += output
    amount = output
  }
  return amount
}

/**
 * What a path without flows gives by itself, as `push` or `pushExactly` tell. Leaves no flows.
 *
 * @returns NaN when the path cannot take the input
 */
export function outputAlone(path: Path, input: number, kept: number, isExact = false): number {
  let amount = Math.floor(input)
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount = Math.floor(amount * kept)
    if (amount < edge.least) return Number.NaN
    amount = isExact ? edge.exactGain(amount) : edge.curve.output(amount)
    if (!(amount > 0)) return Number.NaN
  }
  return amount
}

/**
 * The most that a path without flows gives for an input or less of it. Where others take a venue's best first, less
 * arrives at the next one, which may then have room for it.
 *
 * @returns NaN when a market wants more than arrives there
 */
export function mostOver(path: Path, input: number, kept: number): number {
  let amount = Math.floor(input)
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount = Math.floor(amount * kept)
    if (amount < edge.least) return Number.NaN
    amount = edge.gainUpTo(amount)
  }
  return amount
}

/** Whether a venue of a path has next to nothing left. The flows must lie on the edges. */
export function isNearlyFull(path: Path): boolean {
  return path.some((edge) => edge.flow >= edge.curve.capacity * FULL)
}

/** Adds an input to the flows of a path as `push` does, or nothing when that is NaN. */
function tryPush(path: Path, input: number, kept: number): number {
  const before = path.map(({ flow, flowOut }) => ({ flow, flowOut }))
  const output = push(path, input, kept)
  if (Number.isNaN(output)) for (const [i, flows] of before.entries()) Object.assign(path[i] as Edge, flows)
  return output
}

/**
 * Adds as much of an input to the flows of a path as it can take.
 *
 * @returns what it took; 0 when that is nothing
 */
export function fill(path: Path, input: number, kept: number): number {
  let left = Math.floor(input)
  for (let tries = 0; tries < FILLS && left >= 1; tries++) {
    const most = mostThrough(path, left, kept)
    if (most >= left && tryPush(path, left, kept) > 0) return left
    // Rounding may leave a unit too much.
    left = Math.floor(tries === 0 && most < left ? most : Math.min(left, most) * (1 - 1e-9) - 1)
  }
  return 0
}

/**
 * Adds an input to the flows of a path as far as it can be taken.
 *
 * @returns whether next to nothing of it is, though venues have room: amounts on the way are few units, or less than a
 *          market wants
 */
export function isTooCoarse(path: Path, input: number, kept: number): boolean {
  const most = mostThrough(path, Math.floor(input), kept)
  return fill(path, input, kept) < input / 2 && most >= input / 2
}

/** The input, or less when a venue on the way cannot take what arrives there. */
function mostThrough(path: Path, input: number, kept: number): number {
  let amount = input
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) amount = Math.floor(amount * kept)
    const free = edge.curve.capacity - edge.flow
    if (amount > free) return back(path, i, free, kept)
    amount = edge.gainUpTo(amount)
  }
  return input
}

/** What must enter a path for an amount to arrive at a hop, and a little less; NaN when so much cannot arrive. */
function back(path: Path, at: number, arriving: number, kept: number): number {
  let amount = arriving
  for (let i = at; i > 0; i--) {
    if (startsTransfer(path, i)) amount = Math.floor(amount / kept)
    amount = (path[i - 1] as Edge).cost(amount - 1)
  }
  return amount - 1
}

/**
 * Adds an output to the flows of a path over pools, each hop to the unit.
 *
 * @returns the input; NaN when the path cannot give the output
 */
export function pullExactly(path: Path, output: number): number {
  let amount = output
  for (let i = path.length - 1; i >= 0; i--) {
    const edge = path[i] as Edge
    const input = edge.exactCost(amount)
    if (!(input > 0)) return Number.NaN
    edge.flow += input
    edge.flowOut += amount
    amount = input
  }
  return amount
}

const step: Slope = { rate: 0, bend: 0, room: 0 }

/** How the output of a path changes with its input. */
export interface PathSlope extends Slope {
  /** A venue on the way that is full, so that nothing can be added. */
  full: Edge | null
  /** The rate if it were not: what counts when another path gives way there. */
  open: number
}

export function pathSlope(): PathSlope {
  return { rate: 0, bend: 0, room: 0, full: null, open: 0 }
}

/** How the output of a path changes at its flows: with more input (`after`), or with less (`before`). */
export function slopeOf(path: Path, side: 'after' | 'before', kept: number, slope: PathSlope): void {
  let rate = 1
  let bend = 0
  let room = Number.POSITIVE_INFINITY
  slope.full = null
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) rate *= kept
    const probe = PROBE * rate
    if (side === 'after') edge.curve.slopeAfter(edge.flow, probe, step)
    else edge.curve.slopeBefore(edge.flow, probe, step)
    if (step.rate === 0 && side === 'after') {
      slope.full = edge
      edge.curve.slopeBefore(edge.flow, probe, step)
    }
    // The chain rule: the bend of each curve counts by how much of a unit arrives there.
    bend += step.bend * rate
    room = Math.min(room, step.room / rate)
    rate *= step.rate
  }
  slope.rate = slope.full === null ? rate : 0
  slope.open = rate
  slope.bend = bend
  slope.room = room
}

/** How fast the gain of a move from one path to another falls: edges that both cross keep their flow, so they do not bend. */
export function bendingOf(source: Path, target: Path, before: Slope, after: Slope, kept: number): number {
  const bending = before.rate * before.bend + after.rate * after.bend
  if (!source.some((edge) => target.includes(edge))) return bending
  const shared = before.rate * sharedBend(source, target, 'before', kept)
  return bending - shared - after.rate * sharedBend(target, source, 'after', kept)
}

/** The part of a path's bend that comes from edges which another path crosses too. */
function sharedBend(path: Path, other: Path, side: 'after' | 'before', kept: number): number {
  let rate = 1
  let bend = 0
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    if (i > 0 && startsTransfer(path, i)) rate *= kept
    const probe = PROBE * rate
    if (side === 'after') edge.curve.slopeAfter(edge.flow, probe, step)
    else edge.curve.slopeBefore(edge.flow, probe, step)
    if (other.includes(edge)) bend += step.bend * rate
    rate *= step.rate
  }
  return bend
}
