// The stairs of a path: inputs at which the amount grows by a unit that enters the hop, or leaves the last one, where a
// unit is worth most. Between them nothing much is gained, whatever goes in.
import type { Edge } from './graph.ts'
import { type Path, startsTransfer } from './path.ts'

export class Stairs {
  private readonly path: Path
  private readonly kept: number
  /** Units are counted as they leave this hop; -1 when those of the input are worth most. */
  private readonly at: number

  /** The path must have no flows while its stairs are asked for. */
  constructor(path: Path, kept: number) {
    this.path = path
    this.kept = kept
    let [most, at, worth] = [0, -1, 1]
    // From the end: what a unit is worth in units of output. By the best rates, which is near enough to compare hops.
    for (let i = path.length - 1; i >= 0; i--) {
      if (worth > most) [most, at] = [worth, i]
      worth *= (path[i] as Edge).curve.top
    }
    this.at = worth > most ? -1 : at
  }

  /** The least input that gives as many units as `input` does, less `down`. */
  before(input: number, down: number): number {
    const units = this.units(input) - down
    return units > 0 ? Math.min(input, this.input(units)) : 0
  }

  /** The least input that gives `up` + 1 units more than `input` does; NaN when there is none. */
  after(input: number, up: number): number {
    return this.input(this.units(input) + up + 1)
  }

  private units(input: number): number {
    let amount = Math.floor(input)
    for (let i = 0; i <= this.at; i++) {
      if (i > 0 && startsTransfer(this.path, i)) amount = Math.floor(amount * this.kept)
      amount = (this.path[i] as Edge).curve.outputUpTo(amount)
    }
    return amount
  }

  private input(units: number): number {
    let amount = units
    for (let i = this.at; i >= 0; i--) {
      amount = (this.path[i] as Edge).curve.input(amount)
      if (i > 0 && startsTransfer(this.path, i)) amount = Math.ceil(amount / this.kept)
    }
    return amount
  }
}
