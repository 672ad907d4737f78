// Tick lookups that a swap needs, and a fast read-only form: sorted arrays.
import { wordEdge } from './bitmap.ts'

export interface TickIndex {
  /** End of a swap step that starts at `tick`: the next initialised tick or the word's edge (bitmap.ts). */
  next(tick: number, tickSpacing: number, down: boolean): number
  /** Liquidity added when the price rises over the tick; undefined when the tick is not initialised. */
  net(tick: number): bigint | undefined
}

/** Initialised ticks in ascending order, with `set` and `delete`; `clone` is cheap. */
export class TickList implements TickIndex {
  readonly ids: number[]
  readonly nets: bigint[]

  private constructor(ids: number[], nets: bigint[]) {
    this.ids = ids
    this.nets = nets
  }

  /** Builds the list from ticks in any order. */
  static from(ticks: Iterable<{ id: number; liquidityNet: bigint }>): TickList {
    const sorted = [...ticks].sort((a, b) => a.id - b.id)
    return new TickList(
      sorted.map((tick) => tick.id),
      sorted.map((tick) => tick.liquidityNet),
    )
  }

  clone(): TickList {
    return new TickList(this.ids.slice(), this.nets.slice())
  }

  next(tick: number, tickSpacing: number, down: boolean): number {
    const edge = wordEdge(tick, tickSpacing, down)
    const above = this.firstAbove(tick)
    const found = this.ids[down ? above - 1 : above]
    if (found === undefined) return edge
    return down ? Math.max(found, edge) : Math.min(found, edge)
  }

  net(tick: number): bigint | undefined {
    const at = this.firstAbove(tick) - 1
    return this.ids[at] === tick ? this.nets[at] : undefined
  }

  /** Adds a tick or replaces its net liquidity. */
  set(tick: number, net: bigint): void {
    const above = this.firstAbove(tick)
    if (this.ids[above - 1] === tick) this.nets[above - 1] = net
    else {
      this.ids.splice(above, 0, tick)
      this.nets.splice(above, 0, net)
    }
  }

  /** Removes a tick; no error when it is missing. */
  delete(tick: number): void {
    const at = this.firstAbove(tick) - 1
    if (this.ids[at] !== tick) return
    this.ids.splice(at, 1)
    this.nets.splice(at, 1)
  }

  /** Index of the first tick above the given one. */
  firstAbove(tick: number): number {
    let low = 0
    let high = this.ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.ids[middle] as number) <= tick) low = middle + 1
      else high = middle
    }
    return low
  }
}
