// Newton's step for a division: how much each path should take or give so that all marginal rates become equal, with
// the edges that paths share counted once for all of them, and with those that stand at a kink held there by a price
// (docs/routes.md, "Splits").
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'
import { type Margins, MOST_HOPS } from './margins.ts'
import type { Path, PathSlope } from './path.ts'
import { System } from './system.ts'

const MOST_PATHS = 32
/** Changes of the side on which edges are taken to move. */
const ROUNDS = 6
/** A held edge is as stiff as if this share of its flow were worth all that flows. */
const STIFF = 1e-4
/** The least bend, by the room of a piece, where nothing bends. */
const FLAT = 1e-6
/** What a price may lack of a limit. */
const SLACK = 1e-9
/** A curve whose bend changes by this share is taken on the side on which its flow moves. */
const BENDS = 0.05

/** Where the flow of an edge goes: more of it, less of it, or neither as it stands at a kink. */
const MORE = 1
const LESS = -1
const HELD = 0

export interface Exchange {
  /** For each path, what it takes (or gives when negative); they add up to 0. */
  changes: Float64Array
  /** What the output would grow by. */
  gain: number
  /** The share of it with which the first edge comes to a kink; at most 1. */
  reach: number
  /** What one more unit of input is worth. */
  level: number
  /** By the place of an edge that stands at a kink: what one more unit there is worth when others give way for it. */
  spare: Float64Array
}

const system = new System(MOST_PATHS)
/** For path i and hop h, at i · MOST_HOPS + h: units that arrive there for one more unit of input. */
const arriving = new Float64Array(MOST_PATHS * MOST_HOPS)
/** Final output for one more unit that leaves the hop. */
const onward = new Float64Array(MOST_PATHS * MOST_HOPS)

/**
 * @param margins  of the paths, measured at their flows
 * @param inputs   of the paths
 * @param after    how their outputs change with more input
 * @param before   and with less, for those that have any
 * @param without  a path that has to give all that it has; -1 for none
 * @returns null when there is nothing to exchange
 */
export function bestExchange(
  margins: Margins,
  inputs: readonly number[],
  after: readonly PathSlope[],
  before: readonly PathSlope[],
  without = -1,
): Exchange | null {
  const level = levelOf(inputs, after, before)
  const active = activeOf(margins, inputs, before)
  if (active.length < 2) return null
  const sides = firstSides(margins)
  const locked = new Uint8Array(sides.length)
  const moved = new Float64Array(sides.length)
  const prices = new Float64Array(sides.length)
  for (let round = 0; ; round++) {
    system.begin(active.length)
    measure(margins, active, sides)
    addCurves(margins, active, sides)
    for (let i = 0; i < active.length; i++) {
      const at = active[i] as number
      const gain = system.gains[i] as number
      const slope = gain > level ? (after[at] as Slope) : (before[at] as Slope)
      // Nothing bends: as far as there is room.
      if (slope.bend === 0 || system.curvature(i) === 0)
        system.stiffen(i, Math.max(Math.abs(gain - level), gain * FLAT) / Math.max(slope.room, 1))
      system.own[i] = inputs[at] as number
    }
    system.settle()
    holdEdges(margins, active, sides)
    if (!system.solve(prices, active.indexOf(without))) return null
    flowsOf(margins, active, moved)
    if (round === ROUNDS || !turn(margins, active, inputs, sides, locked, moved, prices)) break
  }
  const changes = new Float64Array(inputs.length)
  if (!system.read(active, inputs, changes)) return null
  const spare = sparesOf(margins, active, inputs, sides, prices)
  return {
    changes,
    gain: system.gain() + givenBack(margins, active, inputs, sides),
    reach: reachOf(margins, sides, moved),
    level: system.level,
    spare,
  }
}

/** A flow beyond a kink is worth less there than the gains count as lost when it goes back. */
function givenBack(margins: Margins, active: readonly number[], inputs: readonly number[], sides: Int8Array): number {
  let sum = 0
  for (let e = 0; e < sides.length; e++) {
    const beyond = -(margins.kinks[e] as number)
    if (!(beyond > 0) || sides[e] === MORE) continue
    const fall = (margins.before[e] as Slope).rate - (margins.after[e] as Slope).rate
    sum += beyond * fall * worthBehind(margins, active, inputs, e)
  }
  return sum
}

/** Output of a held edge for one more unit, less its price. */
function sparesOf(
  margins: Margins,
  active: readonly number[],
  inputs: readonly number[],
  sides: Int8Array,
  prices: Float64Array,
): Float64Array {
  const spare = new Float64Array(sides.length)
  for (let e = 0; e < sides.length; e++) {
    if (sides[e] !== HELD) continue
    const [more, less] = [margins.after[e] as Slope, margins.before[e] as Slope]
    const rate = less.rate - (prices[e] as number) / worthBehind(margins, active, inputs, e)
    spare[e] = Math.min(less.rate, Math.max(more.rate, rate))
  }
  return spare
}

/** Used paths, and others that give more than the least of these if those that stand in their way gave way. */
function activeOf(margins: Margins, inputs: readonly number[], before: readonly PathSlope[]): number[] {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < inputs.length; i++)
    if ((inputs[i] as number) > 0) least = Math.min(least, (before[i] as Slope).rate)
  const active: number[] = []
  for (let i = 0; i < inputs.length && active.length < MOST_PATHS; i++) {
    let rate = 1
    const path = margins.paths[i] as Path
    for (let h = 0; h < path.length; h++) {
      const at = i * MOST_HOPS + h
      rate *= (margins.keeps[at] as number) * (margins.before[margins.places[at] as number] as Slope).rate
    }
    if ((inputs[i] as number) > 0 || rate > least) active.push(i)
  }
  return active
}

/** The rate at which paths neither gain nor lose: between the least that is used and the best that is to be had. */
function levelOf(inputs: readonly number[], after: readonly Slope[], before: readonly Slope[]): number {
  let [sum, share] = [0, 0]
  for (let i = 0; i < inputs.length; i++) {
    const { rate, bend } = (inputs[i] as number) > 0 ? (before[i] as Slope) : (after[i] as Slope)
    if ((inputs[i] as number) <= 0) continue
    const weight = 1 / Math.max(rate * bend, 1e-300)
    sum += weight * rate
    share += weight
  }
  return sum / share
}

function firstSides(margins: Margins): Int8Array {
  const sides = new Int8Array(margins.edges.length)
  for (let e = 0; e < sides.length; e++) sides[e] = margins.isKink(e) ? HELD : MORE
  return sides
}

function slopeAt(margins: Margins, place: number, sides: Int8Array): Slope {
  return (sides[place] === MORE ? margins.after[place] : margins.before[place]) as Slope
}

function measure(margins: Margins, active: readonly number[], sides: Int8Array): void {
  for (let i = 0; i < active.length; i++) {
    const at = (active[i] as number) * MOST_HOPS
    const hops = (margins.paths[active[i] as number] as Path).length
    let rate = 1
    for (let h = 0; h < hops; h++) {
      rate *= margins.keeps[at + h] as number
      arriving[i * MOST_HOPS + h] = rate
      rate *= slopeAt(margins, margins.places[at + h] as number, sides).rate
    }
    system.gains[i] = rate
    rate = 1
    for (let h = hops - 1; h >= 0; h--) {
      onward[i * MOST_HOPS + h] = rate
      rate *= slopeAt(margins, margins.places[at + h] as number, sides).rate * (margins.keeps[at + h] as number)
    }
  }
}

/** The crossings of each edge: i · MOST_HOPS + h for the active path i and its hop h. */
function crossings(margins: Margins, active: readonly number[], place: number, found: number[]): number {
  let count = 0
  for (let i = 0; i < active.length; i++) {
    const at = (active[i] as number) * MOST_HOPS
    const hops = (margins.paths[active[i] as number] as Path).length
    for (let h = 0; h < hops; h++)
      if (margins.places[at + h] === place) {
        found[count++] = i * MOST_HOPS + h
        break
      }
  }
  return count
}

const found: number[] = []

function addCurves(margins: Margins, active: readonly number[], sides: Int8Array): void {
  for (let e = 0; e < sides.length; e++) {
    const { rate, bend } = slopeAt(margins, e, sides)
    if (sides[e] === HELD || !(rate * bend > 0)) continue
    const count = crossings(margins, active, e, found)
    for (let n = 0; n < count; n++) {
      const x = found[n] as number
      for (let k = 0; k <= n; k++) {
        const y = found[k] as number
        const through = Math.sqrt((onward[x] as number) * (onward[y] as number))
        const curvature = (arriving[x] as number) * (arriving[y] as number) * through * rate * bend
        system.add(Math.floor(x / MOST_HOPS), Math.floor(y / MOST_HOPS), curvature)
      }
    }
  }
}

function holdEdges(margins: Margins, active: readonly number[], sides: Int8Array): void {
  for (let e = 0; e < sides.length; e++) {
    if (sides[e] !== HELD) continue
    const count = crossings(margins, active, e, found)
    if (count === 0) continue
    let worth = 0
    const row = system.hold(e)
    for (let n = 0; n < count; n++) {
      const x = found[n] as number
      row[Math.floor(x / MOST_HOPS)] = arriving[x] as number
      worth = Math.max(worth, onward[x] as number)
    }
    system.stiffness(
      (worth * (margins.before[e] as Slope).rate) / (STIFF * (margins.edges[e] as Edge).flow),
      margins.kinks[e] as number,
    )
  }
}

/** By how much the flow of each edge would change. */
function flowsOf(margins: Margins, active: readonly number[], moved: Float64Array): void {
  moved.fill(0)
  for (let i = 0; i < active.length; i++) {
    const at = (active[i] as number) * MOST_HOPS
    const hops = (margins.paths[active[i] as number] as Path).length
    for (let h = 0; h < hops; h++) {
      const place = margins.places[at + h] as number
      moved[place] = (moved[place] as number) + (arriving[i * MOST_HOPS + h] as number) * (system.delta[i] as number)
    }
  }
}

/**
 * Lets edges go whose price tells that they should move, and holds those that moved the other way.
 *
 * @returns whether anything has changed
 */
function turn(
  margins: Margins,
  active: readonly number[],
  inputs: readonly number[],
  sides: Int8Array,
  locked: Uint8Array,
  moved: Float64Array,
  prices: Float64Array,
): boolean {
  let isChanged = false
  for (let e = 0; e < sides.length; e++) {
    const side = sides[e] as number
    const now = moved[e] as number
    if (side === HELD) {
      if (locked[e] === 1) continue
      const [more, less] = [margins.after[e] as Slope, margins.before[e] as Slope]
      const worth = worthBehind(margins, active, inputs, e)
      const price = prices[e] as number
      const limit = worth * less.rate * SLACK
      if (price < -limit) sides[e] = LESS
      else if (price > worth * (less.rate - more.rate) + limit) sides[e] = MORE
      else continue
      isChanged = true
    } else if ((margins.isKink(e) ? now - (margins.kinks[e] as number) : now) * side < 0) {
      const isKink = margins.isKink(e)
      if (!isKink && (locked[e] === 1 || !bendsChange(margins, e))) continue
      sides[e] = isKink ? HELD : -side
      locked[e] = 1
      isChanged = true
    }
  }
  return isChanged
}

function bendsChange(margins: Margins, place: number): boolean {
  const [more, less] = [(margins.after[place] as Slope).bend, (margins.before[place] as Slope).bend]
  return Math.abs(more - less) > BENDS * Math.max(more, less)
}

/** Final output for a unit that leaves an edge: the mean of the paths that cross it. */
function worthBehind(margins: Margins, active: readonly number[], inputs: readonly number[], place: number): number {
  const count = crossings(margins, active, place, found)
  let [sum, share, best] = [0, 0, 0]
  for (let n = 0; n < count; n++) {
    const x = found[n] as number
    const weight = (inputs[active[Math.floor(x / MOST_HOPS)] as number] as number) * (arriving[x] as number)
    sum += weight * (onward[x] as number)
    share += weight
    best = Math.max(best, onward[x] as number)
  }
  return share > 0 ? sum / share : best
}

/** The share of the changes with which the first edge comes to a kink. */
function reachOf(margins: Margins, sides: Int8Array, moved: Float64Array): number {
  let reach = 1
  for (let e = 0; e < sides.length; e++) {
    const change = moved[e] as number
    if (sides[e] === HELD || change === 0) continue
    const { curve, flow } = margins.edges[e] as Edge
    reach = Math.min(reach, curve.upToKink(flow, change) / change)
  }
  return reach
}
