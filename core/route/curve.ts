// Output over input of one direction of a pool or one side of a book, in doubles: concave pieces, one after the other.
// For searching only; what a route promises is computed exactly (quote.ts). Derivation: docs/api/routes.md, "Curves".

/** Numbers of a piece: input and output at its start, then the price there and how fast it bends. */
const STRIDE = 4
/** What a product of doubles may lack of a whole number. */
export const EPSILON = 1e-9
/** Relative distance within which a position counts as the border of two pieces. */
const FUZZ = 1e-12

/** How a curve goes on from a position. */
export interface Slope {
  /** Output per input at the margin, fee included and not rounded; 0 where nothing can be added. */
  rate: number
  /** Relative fall of the rate per unit of input. */
  bend: number
  /** Input up to the end of the piece. */
  room: number
}

/**
 * Within a piece, y units of input after its start, less the pool's fee, give p·y / (1 + k·y): exact for a pool at
 * constant liquidity, and with k = 0 for an order.
 */
export class Curve {
  /** Largest input. */
  readonly end: number
  /** Largest whole input. */
  readonly capacity: number
  /** Output for the first unit of input at most, after the fee; 0 for a curve that takes nothing. */
  readonly top: number
  /** Share of the input that is left after the fee. */
  private readonly keep: number
  /** Share of each fill's output that is left after a market's fee. */
  private readonly afterFee: number
  /** Pieces as the contracts round their borders, and without rounding. */
  private readonly rounded: Float64Array
  private readonly exact: Float64Array
  /** The pieces of the last lookups: the next one is mostly near. */
  private lastRounded = 0
  private lastExact = 0

  /**
   * @param rounded   pieces by rising input, STRIDE numbers each, their borders in whole units as the contracts round
   * @param exact     the same pieces without rounding
   * @param end       largest input, in raw units
   * @param keep      1 − fee of a pool
   * @param afterFee  1 − fee of a market
   */
  constructor(rounded: readonly number[], exact: readonly number[], end: number, keep: number, afterFee = 1) {
    this.rounded = Float64Array.from(rounded)
    this.exact = Float64Array.from(exact)
    this.end = end
    this.capacity = Math.floor(end)
    this.keep = keep
    this.afterFee = afterFee
    let best = 0
    for (let at = 2; at < rounded.length; at += STRIDE) best = Math.max(best, rounded[at] as number)
    this.top = best * keep
  }

  /** Whole units of output for whole units of input ≥ 0, as the contracts round; NaN above the largest input. */
  output(input: number): number {
    if (!(input <= this.end)) return Number.NaN
    const { rounded: data, afterFee } = this
    if (!isAt(data, this.lastRounded, input)) this.lastRounded = pieceOf(data, input)
    const at = this.lastRounded * STRIDE
    const y = Math.floor((input - (data[at] as number)) * this.keep + EPSILON)
    const output = (y * (data[at + 2] as number)) / (1 + y * (data[at + 3] as number))
    const gross = afterFee === 1 ? output : Math.floor(output / afterFee + EPSILON) * afterFee
    return (data[at + 1] as number) + Math.floor(gross + EPSILON)
  }

  /** Output without rounding; above the largest input more gives nothing more. NaN when the curve takes nothing. */
  smooth(input: number): number {
    const { exact: data, end } = this
    if (!(end > 0)) return Number.NaN
    const entering = Math.min(input, end)
    const at = this.exactPiece(entering) * STRIDE
    const y = (entering - (data[at] as number)) * this.keep
    return (data[at + 1] as number) + (y * (data[at + 2] as number)) / (1 + y * (data[at + 3] as number))
  }

  /** The input that moves the price as this one does and whose fee is a whole number: fees are rounded up. */
  entering(input: number): number {
    return Math.floor(input * this.keep + EPSILON) / this.keep
  }

  /** Slope for more input. @param probe  the least that would enter: a border nearer than that is passed */
  slopeAfter(input: number, probe: number, slope: Slope): void {
    const where = input + Math.max(probe, input * FUZZ)
    if (where > this.end) setSlope(slope, 0, 0, Number.POSITIVE_INFINITY)
    else this.slope(where, input, 1, slope)
  }

  /** Slope for less input. @param probe  the least that would be taken away */
  slopeBefore(input: number, probe: number, slope: Slope): void {
    const where = input - Math.max(probe, input * FUZZ)
    // What exceeds the largest input is given back for nothing.
    if (where > this.end) setSlope(slope, 0, 0, input - this.end)
    else this.slope(Math.max(0, where), input, -1, slope)
  }

  private slope(where: number, input: number, direction: 1 | -1, slope: Slope): void {
    const { exact: data, keep } = this
    const at = this.exactPiece(where) * STRIDE
    const start = data[at] as number
    const k = data[at + 3] as number
    const q = 1 + (where - start) * keep * k
    const border = direction === -1 ? start : at + STRIDE < data.length ? (data[at + STRIDE] as number) : this.end
    setSlope(slope, (keep * (data[at + 2] as number)) / (q * q), (2 * k * keep) / q, (border - input) * direction)
  }

  private exactPiece(input: number): number {
    if (!isAt(this.exact, this.lastExact, input)) this.lastExact = pieceOf(this.exact, input)
    return this.lastExact
  }
}

/** Whether an input lies on a piece. */
function isAt(data: Float64Array, piece: number, input: number): boolean {
  const at = piece * STRIDE
  if (!((data[at] as number) <= input)) return false
  return at + STRIDE >= data.length || (data[at + STRIDE] as number) > input
}

function pieceOf(data: Float64Array, input: number): number {
  let low = 0
  let high = data.length / STRIDE
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((data[middle * STRIDE] as number) <= input) low = middle
    else high = middle
  }
  return low
}

function setSlope(slope: Slope, rate: number, bend: number, room: number): void {
  slope.rate = rate
  slope.bend = bend
  slope.room = Math.max(0, room)
}

/** A curve that takes nothing. */
export const EMPTY_CURVE = new Curve([], [], -1, 1)
