// Newton's step for a division: how much each path should take or give so that all marginal rates become equal, with
// the edges that paths share counted once for all of them, and with those that stand at a kink held there by a price
// (docs/api/routes.md, "Splits").
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'
import { type Margins, MOST_HOPS } from './margins.ts'
import type { Path } from './path.ts'
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
  /** For each path, what it takes (or gives when negative); they add up to 0. Valid until the next exchange is asked for. */
  changes: Float64Array
  /** What the output would grow by. */
  gain: number
  /** The share of it with which the first edge comes to a kink; at most 1. */
  reach: number
}

export interface Prices {
  /** What one more unit of input is worth. */
  level: number
  /** By the place of an edge that stands at a kink: what one more unit there is worth when others give way for it. */
  spare: Float64Array
}

const system = new System(MOST_PATHS)
/** The paths that take part, and how many they are. */
const active = new Int32Array(MOST_PATHS)
let size = 0
// Working memory that grows with what is asked for: to make it anew takes as long as all sums.
/** By path: its place among the active ones, or -1. */
let slots = new Int32Array(0)
let changes = new Float64Array(0)
/** Paths that cross an edge. */
let found = new Int32Array(0)
/** For path i and hop h, at i · MOST_HOPS + h: units that arrive there for one more unit of input. */
let arriving = new Float64Array(0)
/** Final output for one more unit that leaves the hop. */
let onward = new Float64Array(0)
/** By edge: where its flow goes, whether it may turn again, how much it moves, and the price at which it is held. */
let sides = new Int8Array(0)
let locked = new Uint8Array(0)
let moved = new Float64Array(0)
let prices = new Float64Array(0)

/**
 * The best exchange.
 *
 * @param margins  of the paths, measured at their flows
 * @param inputs   of the paths
 * @returns null when there is nothing to exchange
 */
export function bestExchange(margins: Margins, inputs: readonly number[]): Exchange | null {
  if (!begin(margins, inputs) || !solve(margins, inputs, -1)) return null
  return { changes, gain: gainOf(margins, inputs), reach: reachOf(margins) }
}

/** What the best exchange tells of prices; null when there is nothing to exchange. */
export function pricesOf(margins: Margins, inputs: readonly number[]): Prices | null {
  if (!begin(margins, inputs) || !solve(margins, inputs, -1)) return null
  return { level: system.level, spare: sparesOf(margins, inputs) }
}

/** @returns for each path that has an input: what the output loses, to the second order, when it has to give all of it */
export function lossesWithout(margins: Margins, inputs: readonly number[]): { at: number; loss: number }[] {
  const losses: { at: number; loss: number }[] = []
  const canBegin = begin(margins, inputs)
  inputs.forEach((input, at) => {
    if (!(input > 0)) return
    const gain = canBegin && solve(margins, inputs, slots[at] as number) ? gainOf(margins, inputs) : -1e300
    losses.push({ at, loss: -gain })
  })
  return losses
}

/** Whether the system is that of the sides on which edges are taken to move at first. */
let isFirst = false

/** @returns whether there are paths that may exchange anything */
function begin(margins: Margins, inputs: readonly number[]): boolean {
  reserve(inputs.length, margins.edges.length)
  isFirst = false
  findActive(margins, inputs)
  return size > 1
}

function reserve(paths: number, edges: number): void {
  if (slots.length < paths) {
    slots = new Int32Array(paths)
    changes = new Float64Array(paths)
    found = new Int32Array(paths)
    arriving = new Float64Array(paths * MOST_HOPS)
    onward = new Float64Array(paths * MOST_HOPS)
  }
  if (sides.length < edges) {
    sides = new Int8Array(edges)
    locked = new Uint8Array(edges)
    moved = new Float64Array(edges)
    prices = new Float64Array(edges)
  }
}

/**
 * Finds the changes.
 *
 * @param without  the place among the active paths of one that has to give all that it has; -1 for none
 * @returns false when there are none
 */
function solve(margins: Margins, inputs: readonly number[], without: number): boolean {
  const edges = margins.edges.length
  const level = levelOf(margins, inputs)
  if (!isFirst) {
    for (let e = 0; e < edges; e++) sides[e] = margins.isKink(e) ? HELD : MORE
    build(margins, inputs, level)
    isFirst = true
  }
  locked.fill(0, 0, edges)
  for (let round = 0; ; round++) {
    if (!system.solve(prices, without)) return false
    findFlows(margins)
    if (round === ROUNDS || !turn(margins, inputs)) break
    isFirst = false
    build(margins, inputs, level)
  }
  changes.fill(0, 0, inputs.length)
  return system.read(active, inputs, changes)
}

/** The system of the sides as they are. */
function build(margins: Margins, inputs: readonly number[], level: number): void {
  const { pathsAfter: after, pathsBefore: before } = margins
  system.begin(size)
  measure(margins)
  addCurves(margins)
  for (let i = 0; i < size; i++) {
    const at = active[i] as number
    const gain = system.gains[i] as number
    const slope = gain > level ? (after[at] as Slope) : (before[at] as Slope)
    // Nothing bends: as far as there is room.
    if (slope.bend === 0 || system.curvature(i) === 0)
      system.stiffen(i, Math.max(Math.abs(gain - level), gain * FLAT) / Math.max(slope.room, 1))
    system.own[i] = inputs[at] as number
  }
  system.settle()
  holdEdges(margins)
}

function gainOf(margins: Margins, inputs: readonly number[]): number {
  return system.gain() + givenBack(margins, inputs)
}

/** A flow beyond a kink is worth less there than the gains count as lost when it goes back. */
function givenBack(margins: Margins, inputs: readonly number[]): number {
  let sum = 0
  for (let e = 0; e < margins.edges.length; e++) {
    const beyond = -(margins.kinks[e] as number)
    if (!(beyond > 0) || sides[e] === MORE) continue
    const fall = (margins.before[e] as Slope).rate - (margins.after[e] as Slope).rate
    sum += beyond * fall * worthBehind(margins, inputs, e)
  }
  return sum
}

/** Output of a held edge for one more unit, less its price. */
function sparesOf(margins: Margins, inputs: readonly number[]): Float64Array {
  const spare = new Float64Array(margins.edges.length)
  for (let e = 0; e < spare.length; e++) {
    if (sides[e] !== HELD) continue
    const [more, less] = [margins.after[e] as Slope, margins.before[e] as Slope]
    const rate = less.rate - (prices[e] as number) / worthBehind(margins, inputs, e)
    spare[e] = Math.min(less.rate, Math.max(more.rate, rate))
  }
  return spare
}

/** Used paths, and others that give more than the least of these if those that stand in their way gave way. */
function findActive(margins: Margins, inputs: readonly number[]): void {
  const before = margins.pathsBefore
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < inputs.length; i++)
    if ((inputs[i] as number) > 0) least = Math.min(least, (before[i] as Slope).rate)
  size = 0
  slots.fill(-1)
  for (let i = 0; i < inputs.length && size < MOST_PATHS; i++) {
    let rate = 1
    const hops = (margins.paths[i] as Path).length
    for (let h = 0; h < hops; h++) {
      const at = i * MOST_HOPS + h
      rate *= (margins.keeps[at] as number) * (margins.before[margins.places[at] as number] as Slope).rate
    }
    if (!((inputs[i] as number) > 0 || rate > least)) continue
    slots[i] = size
    active[size++] = i
  }
}

/** The rate at which paths neither gain nor lose: between the least that is used and the best that is to be had. */
function levelOf({ pathsBefore: before }: Margins, inputs: readonly number[]): number {
  let [sum, share] = [0, 0]
  for (let i = 0; i < inputs.length; i++) {
    if ((inputs[i] as number) <= 0) continue
    const { rate, bend } = before[i] as Slope
    const weight = 1 / Math.max(rate * bend, 1e-300)
    sum += weight * rate
    share += weight
  }
  return sum / share
}

function slopeAt(margins: Margins, place: number): Slope {
  return (sides[place] === MORE ? margins.after[place] : margins.before[place]) as Slope
}

function measure(margins: Margins): void {
  const { keeps, paths, places } = margins
  for (let i = 0; i < size; i++) {
    const at = (active[i] as number) * MOST_HOPS
    const hops = (paths[active[i] as number] as Path).length
    let rate = 1
    for (let h = at; h < at + hops; h++) {
      rate *= keeps[h] as number
      arriving[h] = rate
      rate *= slopeAt(margins, places[h] as number).rate
    }
    system.gains[i] = rate
    rate = 1
    for (let h = at + hops - 1; h >= at; h--) {
      onward[h] = rate
      rate *= slopeAt(margins, places[h] as number).rate * (keeps[h] as number)
    }
  }
}

function pathOf(crossing: number): number {
  return (crossing / MOST_HOPS) | 0
}

/** Writes the crossings of an edge by active paths to `found`. @returns how many there are */
function findCrossings({ crossings, crossingsAt }: Margins, place: number): number {
  let count = 0
  const end = crossingsAt[place + 1] as number
  for (let c = crossingsAt[place] as number; c < end; c++) {
    const x = crossings[c] as number
    if ((slots[pathOf(x)] as number) >= 0) found[count++] = x
  }
  return count
}

function addCurves(margins: Margins): void {
  for (let e = 0; e < margins.edges.length; e++) {
    const { rate, bend } = slopeAt(margins, e)
    if (sides[e] === HELD || !(rate * bend > 0)) continue
    const count = findCrossings(margins, e)
    for (let n = 0; n < count; n++) {
      const x = found[n] as number
      for (let k = 0; k <= n; k++) {
        const y = found[k] as number
        const through = Math.sqrt((onward[x] as number) * (onward[y] as number))
        const curvature = (arriving[x] as number) * (arriving[y] as number) * through * rate * bend
        system.add(slots[pathOf(x)] as number, slots[pathOf(y)] as number, curvature)
      }
    }
  }
}

function holdEdges(margins: Margins): void {
  for (let e = 0; e < margins.edges.length; e++) {
    if (sides[e] !== HELD) continue
    const count = findCrossings(margins, e)
    if (count === 0) continue
    let worth = 0
    const row = system.hold(e)
    for (let n = 0; n < count; n++) {
      const x = found[n] as number
      row[slots[pathOf(x)] as number] = arriving[x] as number
      worth = Math.max(worth, onward[x] as number)
    }
    system.stiffness(
      (worth * (margins.before[e] as Slope).rate) / (STIFF * (margins.edges[e] as Edge).flow),
      margins.kinks[e] as number,
    )
  }
}

/** By how much the flow of each edge would change. */
function findFlows(margins: Margins): void {
  moved.fill(0, 0, margins.edges.length)
  for (let i = 0; i < size; i++) {
    const at = (active[i] as number) * MOST_HOPS
    const hops = (margins.paths[active[i] as number] as Path).length
    for (let h = at; h < at + hops; h++) {
      const place = margins.places[h] as number
      moved[place] = (moved[place] as number) + (arriving[h] as number) * (system.delta[i] as number)
    }
  }
}

/**
 * Lets edges go whose price tells that they should move, and holds those that moved the other way.
 *
 * @returns whether anything has changed
 */
function turn(margins: Margins, inputs: readonly number[]): boolean {
  let isChanged = false
  for (let e = 0; e < margins.edges.length; e++) {
    const side = sides[e] as number
    const now = moved[e] as number
    if (side === HELD) {
      if (locked[e] === 1) continue
      const [more, less] = [margins.after[e] as Slope, margins.before[e] as Slope]
      const worth = worthBehind(margins, inputs, e)
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
function worthBehind(margins: Margins, inputs: readonly number[], place: number): number {
  const count = findCrossings(margins, place)
  let [sum, share, best] = [0, 0, 0]
  for (let n = 0; n < count; n++) {
    const x = found[n] as number
    const weight = (inputs[pathOf(x)] as number) * (arriving[x] as number)
    sum += weight * (onward[x] as number)
    share += weight
    best = Math.max(best, onward[x] as number)
  }
  return share > 0 ? sum / share : best
}

/** The share of the changes with which the first edge comes to a kink. */
function reachOf(margins: Margins): number {
  let reach = 1
  for (let e = 0; e < margins.edges.length; e++) {
    const change = moved[e] as number
    if (sides[e] === HELD || change === 0) continue
    const { curve, flow } = margins.edges[e] as Edge
    reach = Math.min(reach, curve.upToKink(flow, change) / change)
  }
  return reach
}
