// How the outputs of paths change with their inputs. Edges are measured once, however many paths cross them.
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'
import { type Path, type PathSlope, PROBE, pathSlope, startsTransfer } from './path.ts'

export const MOST_HOPS = 3
/** Share of a flow by which it may miss a kink and still be taken to be there. */
const NEAR = 1e-3

/** Begun anew for each division, as to make its arrays takes as long as all sums. */
export class Margins {
  paths: readonly Path[] = []
  /** All that the paths cross. */
  readonly edges: Edge[] = []
  /** For path i and hop h, at i · MOST_HOPS + h: the place of its edge. */
  places = new Int32Array(0)
  /** Where paths cross each edge, i · MOST_HOPS + h again: those of the edge at a place from its `crossingsAt` on. */
  crossings = new Int32Array(0)
  crossingsAt = new Int32Array(1)
  /** Of each edge, with more input and with less. */
  readonly after: Slope[] = []
  readonly before: Slope[] = []
  /** The same of each path; with less what it last was where there was any, else nothing. */
  readonly pathsAfter: PathSlope[] = []
  readonly pathsBefore: PathSlope[] = []
  /** What the flow of an edge lacks of the kink that it is near to, negative beyond it; NaN without one. */
  kinks = new Float64Array(0)
  /** For path i and hop h: the share that a transfer may spend of what arrives. */
  keeps = new Float64Array(0)
  private known = new Uint8Array(0)

  begin(paths: readonly Path[], kept: number): void {
    this.paths = paths
    const { edges } = this
    edges.length = 0
    this.reserve(paths.length)
    const { keeps, places } = this
    for (let i = 0; i < paths.length; i++) {
      const path = paths[i] as Path
      const less = this.pathsBefore[i] as PathSlope
      less.rate = less.bend = less.room = 0
      for (let h = 0; h < path.length; h++) {
        const edge = path[h] as Edge
        if (edges[edge.place] !== edge) edge.place = edges.push(edge) - 1
        places[i * MOST_HOPS + h] = edge.place
        keeps[i * MOST_HOPS + h] = h > 0 && startsTransfer(path, h) ? kept : 1
      }
    }
    this.findCrossings()
  }

  private reserve(paths: number): void {
    for (let i = this.pathsAfter.length; i < paths; i++) {
      this.pathsAfter.push(pathSlope())
      this.pathsBefore.push(pathSlope())
    }
    const most = paths * MOST_HOPS
    for (let i = this.after.length; i < most; i++) {
      this.after.push(noSlope())
      this.before.push(noSlope())
    }
    if (this.places.length >= most) return
    this.places = new Int32Array(most)
    this.keeps = new Float64Array(most)
    this.crossings = new Int32Array(most)
    this.crossingsAt = new Int32Array(most + 1)
    this.kinks = new Float64Array(most)
    this.known = new Uint8Array(most)
  }

  private findCrossings(): void {
    const { crossings, crossingsAt, edges, paths, places } = this
    crossingsAt.fill(0)
    for (const path of paths) for (const { place } of path) (crossingsAt[place] as number)++
    // First where those of each edge end; then, from the last one back, where they begin.
    for (let e = 1; e <= edges.length; e++) crossingsAt[e] = (crossingsAt[e] as number) + (crossingsAt[e - 1] as number)
    for (let i = paths.length - 1; i >= 0; i--)
      for (let h = (paths[i] as Path).length - 1; h >= 0; h--) {
        const place = places[i * MOST_HOPS + h] as number
        crossings[--(crossingsAt[place] as number)] = i * MOST_HOPS + h
      }
  }

  /** Measures the edges at the flows that lie on them. */
  measure(): void {
    const { after, before, edges, keeps, known, paths, places } = this
    known.fill(0)
    for (let i = 0; i < paths.length; i++) {
      let rate = 1
      for (let h = 0; h < (paths[i] as Path).length; h++) {
        const place = places[i * MOST_HOPS + h] as number
        const edge = edges[place] as Edge
        const more = after[place] as Slope
        rate *= keeps[i * MOST_HOPS + h] as number
        if (known[place] === 0) {
          known[place] = 1
          this.measureEdge(place, edge, PROBE * rate)
        }
        rate *= more.rate > 0 ? more.rate : (before[place] as Slope).rate
      }
    }
  }

  private measureEdge(place: number, { curve, flow }: Edge, probe: number): void {
    const [more, less] = [this.after[place] as Slope, this.before[place] as Slope]
    const kink = flow > 0 ? curve.kinkNear(flow, flow * NEAR) : Number.NaN
    this.kinks[place] = kink
    const from = Number.isNaN(kink) ? flow : flow + kink
    curve.slopeAfter(from, probe, more)
    if (flow > 0) curve.slopeBefore(from, probe, less)
    else Object.assign(less, more)
    if (Number.isNaN(kink)) return
    more.room += kink
    less.room -= kink
  }

  /** Then the paths: those that have an input to both sides. */
  measurePaths(inputs: readonly number[]): void {
    for (let i = 0; i < this.paths.length; i++) {
      this.slopeOf(i, 'after', this.pathsAfter[i] as PathSlope)
      if ((inputs[i] as number) > 0) this.slopeOf(i, 'before', this.pathsBefore[i] as PathSlope)
    }
  }

  /** Whether the flow of an edge is at a kink, where the last unit gives more than one more would. */
  isKink(place: number): boolean {
    const kink = this.kinks[place] as number
    return !Number.isNaN(kink)
  }

  /** How the output of a path changes, by the chain rule. */
  private slopeOf(at: number, side: 'after' | 'before', slope: PathSlope): void {
    const { keeps, places } = this
    const path = this.paths[at] as Path
    let [rate, bend, room] = [1, 0, Number.POSITIVE_INFINITY]
    slope.full = null
    for (let h = 0; h < path.length; h++) {
      const place = places[at * MOST_HOPS + h] as number
      const edge = this.edges[place] as Edge
      let step = this[side][place] as Slope
      rate *= keeps[at * MOST_HOPS + h] as number
      if (step.rate === 0 && side === 'after') {
        slope.full = edge
        step = this.before[place] as Slope
      }
      if (side === 'before' && edge.flow > edge.curve.end) {
        // What is too much is given back for nothing.
        room = Math.min(room, (edge.flow - edge.curve.end) / rate)
        rate = 0
      }
      bend += step.bend * rate
      if (rate > 0) room = Math.min(room, step.room / rate)
      rate *= step.rate
    }
    slope.rate = slope.full === null ? rate : 0
    slope.open = rate
    slope.bend = bend
    slope.room = room
  }
}

function noSlope(): Slope {
  return { rate: 0, bend: 0, room: 0 }
}
