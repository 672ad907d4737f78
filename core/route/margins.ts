// How the outputs of paths change with their inputs. Edges are measured once, however many paths cross them.
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'
import { type Path, type PathSlope, PROBE, startsTransfer } from './path.ts'

export const MOST_HOPS = 3
/** Share of a flow by which it may miss a kink and still be taken to be there. */
const NEAR = 1e-3

export class Margins {
  readonly paths: readonly Path[]
  /** All that the paths cross. */
  readonly edges: readonly Edge[]
  /** For path i and hop h, at i · MOST_HOPS + h: the place of its edge. */
  readonly places: Int32Array
  /** Of each edge, with more input and with less. */
  readonly after: Slope[]
  readonly before: Slope[]
  /** What the flow of an edge lacks of the kink that it is near to, negative beyond it; NaN without one. */
  readonly kinks: Float64Array
  /** For path i and hop h: the share that a transfer may spend of what arrives. */
  readonly keeps: Float64Array

  constructor(paths: readonly Path[], kept: number) {
    this.paths = paths
    this.places = new Int32Array(paths.length * MOST_HOPS)
    this.keeps = new Float64Array(paths.length * MOST_HOPS).fill(1)
    const edges: Edge[] = []
    paths.forEach((path, i) => {
      for (let h = 0; h < path.length; h++) {
        const edge = path[h] as Edge
        let place = edges.indexOf(edge)
        if (place < 0) place = edges.push(edge) - 1
        this.places[i * MOST_HOPS + h] = place
        if (h > 0 && startsTransfer(path, h)) this.keeps[i * MOST_HOPS + h] = kept
      }
    })
    this.edges = edges
    this.kinks = new Float64Array(edges.length)
    this.after = edges.map(noSlope)
    this.before = edges.map(noSlope)
  }

  /** Measures the edges at the flows that lie on them. */
  measure(): void {
    const { after, before, edges, keeps, paths, places } = this
    const known = new Uint8Array(edges.length)
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

  /** Whether the flow of an edge is at a kink, where the last unit gives more than one more would. */
  isKink(place: number): boolean {
    const kink = this.kinks[place] as number
    return !Number.isNaN(kink)
  }

  /** How the output of a path changes, by the chain rule. */
  slopeOf(at: number, side: 'after' | 'before', slope: PathSlope): void {
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
