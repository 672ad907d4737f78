// Output over input of one direction of a pool or one side of a book, in doubles: concave pieces, one after the other.
// For searching only; what a route promises is computed exactly (quote.ts). Derivation: docs/api/routes.md, "Curves".
import { wordEdge } from '../amm/bitmap.ts'
import { FEE_UNIT } from '../amm/q64.ts'
import type { TickList } from '../amm/tick-index.ts'
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE } from '../amm/ticks.ts'
import { SPOT_FEE_UNIT } from '../book/fee.ts'
import type { BookOrder } from '../book/order.ts'
import type { RoutePool } from './model.ts'

/** Numbers of a piece: input and output at its start, then the price there and how fast it bends. */
const STRIDE = 4
/** Rounding error of a product of doubles: absolute, in whole units, and relative. */
export const EPSILON = 1e-9

/** Continuation of a curve from a position. */
export interface Slope {
  /** Output per input at the margin, fee included and not rounded; 0 where nothing can be added. */
  rate: number
  /** Relative fall of the rate per unit of input. */
  bend: number
  /** Input up to the end of the piece. */
  room: number
}

/** Pieces by rising input. */
class Pieces {
  readonly data: Float64Array
  /** Of the last lookup: the next one is mostly near. */
  private last = 0

  constructor(numbers: readonly number[]) {
    this.data = Float64Array.from(numbers)
  }

  /** Place of the numbers of the piece on which an input lies. */
  at(input: number): number {
    const { data, last } = this
    const next = last + STRIDE
    if ((data[last] as number) <= input && (next >= data.length || (data[next] as number) > input)) return last
    let [low, high] = [0, data.length / STRIDE]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((data[middle * STRIDE] as number) <= input) low = middle
      else high = middle
    }
    this.last = low * STRIDE
    return this.last
  }
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
  private readonly rounded: Pieces
  private readonly exact: Pieces

  /**
   * @param rounded   pieces by rising input, STRIDE numbers each, their borders in whole units as the contracts round
   * @param exact     the same pieces without rounding
   * @param end       largest input, in raw units
   * @param keep      1 − fee of a pool
   * @param afterFee  1 − fee of a market
   */
  constructor(rounded: readonly number[], exact: readonly number[], end: number, keep: number, afterFee = 1) {
    this.rounded = new Pieces(rounded)
    this.exact = new Pieces(exact)
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
    const { afterFee } = this
    const { data } = this.rounded
    const at = this.rounded.at(input)
    const y = Math.floor((input - (data[at] as number)) * this.keep + EPSILON)
    const output = (y * (data[at + 2] as number)) / (1 + y * (data[at + 3] as number))
    const gross = afterFee === 1 ? output : Math.floor(output / afterFee + EPSILON) * afterFee
    return (data[at + 1] as number) + Math.floor(gross + EPSILON)
  }

  /** Output without rounding; above the largest input more gives nothing more. NaN when the curve takes nothing. */
  smooth(input: number): number {
    const { data } = this.exact
    if (!(this.end > 0)) return Number.NaN
    const entering = Math.min(input, this.end)
    const at = this.exact.at(entering)
    const y = (entering - (data[at] as number)) * this.keep
    return (data[at + 1] as number) + (y * (data[at + 2] as number)) / (1 + y * (data[at + 3] as number))
  }

  /** The input that moves the price as this one does and whose fee is a whole number: fees are rounded up. */
  entering(input: number): number {
    return Math.floor(input * this.keep + EPSILON) / this.keep
  }

  /**
   * Slope for more input (direction 1) or for less (−1).
   *
   * @param probe  the least input that would move: a border nearer than that is passed
   */
  slope(input: number, direction: 1 | -1, probe: number, slope: Slope): void {
    const { end, keep } = this
    const { data } = this.exact
    const where = Math.max(0, input + direction * Math.max(probe, input * EPSILON))
    if (where > end) {
      // What exceeds the largest input is given back for nothing.
      slope.rate = 0
      slope.bend = 0
      slope.room = direction === 1 ? Number.POSITIVE_INFINITY : input - end
      return
    }
    const at = this.exact.at(where)
    const start = data[at] as number
    const k = data[at + 3] as number
    const q = 1 + (where - start) * keep * k
    const border = direction === -1 ? start : at + STRIDE < data.length ? (data[at + STRIDE] as number) : end
    slope.rate = (keep * (data[at + 2] as number)) / (q * q)
    slope.bend = (2 * k * keep) / q
    slope.room = Math.max(0, (border - input) * direction)
  }
}

/** A curve that takes nothing. */
const EMPTY_CURVE = new Curve([], [], -1, 1)

const HALF_LOG_BASE = Math.log(1.0001) / 2
/** Amounts have 63 bits, what a step could take has 64. */
const AMOUNT_LIMIT = 2 ** 63
const STEP_LIMIT = 2 ** 64
/**
 * Ticks from the price within which curves are rounded at bitmap words too: few swaps move a price by a factor of
 * e^20, and curves of all words up to the last price would have thousands of pieces.
 */
const WORDS_WITHIN = 200_000

/** A stretch of which rounding takes more than the rest of this share is taken as it is rounded. */
const FINE = 0.9

/** A stretch of constant liquidity: from one square-root price to another. */
interface Stretch {
  liquidity: number
  from: number
  to: number
  aForB: boolean
}

/** A piece of a curve that is not rounded. */
interface Piece {
  input: number
  output: number
  price: number
  bend: number
}

/** @param aForB  whether token A enters */
export function poolCurve(pool: RoutePool, ticks: TickList, aForB: boolean): Curve {
  const keep = 1 - pool.fee / Number(FEE_UNIT)
  const limit = Number(aForB ? MIN_SQRT_PRICE : MAX_SQRT_PRICE) / 2 ** 64
  const step = aForB ? -1 : 1
  const rounded: number[] = []
  const smooth: Piece[] = []
  let { liquidity, tick } = pool
  let from = Number(pool.sqrtPriceX64) / 2 ** 64
  const wordsEnd = tick + step * WORDS_WITHIN
  let [input, output] = [0, 0]
  for (let i = ticks.firstAbove(tick) - (aForB ? 1 : 0); input < AMOUNT_LIMIT && output < AMOUNT_LIMIT; ) {
    const id = ticks.ids[i]
    const edge = (wordsEnd - tick) * step > 0 && liquidity > 0n ? wordEdge(tick, pool.tickSpacing, aForB) : undefined
    const isWord = edge !== undefined && id !== undefined && (aForB ? edge > id : edge < id)
    const boundary = isWord ? edge : id
    const to = boundary === undefined ? limit : priceAt(boundary)
    if (liquidity > 0n && (aForB ? to < from : to > from)) {
      const stretch = { liquidity: Number(liquidity), from, to, aForB }
      const whole = inputOf(stretch)
      const net = whole < STEP_LIMIT ? whole : countableInput(stretch, ticks, pool.tickSpacing, tick)
      const [price, bend] = shapeOf(stretch)
      const gross = (net * price) / (1 + net * bend)
      // The contract rounds each step: what enters and its fee up, what leaves down.
      const [entering, leaving] = [Math.ceil(Math.ceil(net - EPSILON) / keep - EPSILON), Math.floor(gross + EPSILON)]
      if (net > 0) {
        rounded.push(input, output, price, bend)
        const isCoarse = entering * keep * FINE > net || leaving < gross * FINE
        // A stretch that reaches further in price bends too much for a straight piece.
        if (isCoarse && Math.min(from / to, to / from) > FINE) addCoarse(smooth, entering, leaving, keep)
        else if (smooth.length === 0) smooth.push({ input: net / keep, output: gross, price, bend })
        else smooth.push(fitted((bend * net) / (entering * keep), entering, leaving, keep))
      }
      input += entering
      output += leaving
      if (net < whole) break
    }
    if (boundary === undefined) break
    from = aForB ? Math.min(from, to) : Math.max(from, to)
    tick = aForB ? boundary - 1 : boundary
    if (!isWord) {
      liquidity += BigInt(step) * (ticks.nets[i] as bigint)
      i += step
    }
  }
  // A double does not hold the last unit of a capacity, so a small share of it is left out.
  const end = Math.min(input, input * (1 - EPSILON) + 1, AMOUNT_LIMIT)
  return rounded.length === 0 ? EMPTY_CURVE : new Curve(rounded, joined(smooth), end, keep)
}

/** A piece of a bend that ends where the contract's rounded step does. */
function fitted(bend: number, input: number, output: number, keep: number): Piece {
  const y = input * keep
  return { input, output, price: (output * (1 + bend * y)) / y, bend }
}

/** Adds a straight piece for a stretch of which rounding takes much, with those before it where that bends down better. */
function addCoarse(pieces: Piece[], input: number, output: number, keep: number): void {
  let piece = { input, output, price: output / (input * keep), bend: 0 }
  for (let last = pieces.at(-1); last?.bend === 0 && last.price <= piece.price; last = pieces.at(-1)) {
    pieces.pop()
    const [x, y] = [last.input + piece.input, last.output + piece.output]
    piece = { input: x, output: y, price: y / (x * keep), bend: 0 }
  }
  pieces.push(piece)
}

/** Pieces one after the other, as a curve takes them. */
function joined(pieces: readonly Piece[]): number[] {
  const data: number[] = []
  let [input, output] = [0, 0]
  for (const piece of pieces) {
    if (piece.output > 0) data.push(input, output, piece.price, piece.bend)
    input += piece.input
    output += piece.output
  }
  return data
}

/** @param fee  hundredths of a percent of what the taker receives */
export function bookCurve(orders: readonly BookOrder[], fee: number): Curve {
  const keep = 1 - fee / Number(SPOT_FEE_UNIT)
  const rounded: number[] = []
  const exact: number[] = []
  let [input, output, exactOutput] = [0, 0, 0]
  for (const { bid, ask } of orders) {
    if (input >= AMOUNT_LIMIT) break
    if (bid <= 0n || ask <= 0n) continue
    const [gives, takes] = [Number(bid) * keep, Number(ask)]
    rounded.push(input, output, gives / takes, 0)
    exact.push(input, exactOutput, gives / takes, 0)
    input += takes
    exactOutput += gives
    // Each fill is rounded down by itself.
    output += Math.floor(gives + EPSILON)
  }
  return rounded.length === 0 ? EMPTY_CURVE : new Curve(rounded, exact, Math.min(input, AMOUNT_LIMIT), 1, keep)
}

function priceAt(tick: number): number {
  return Math.exp(tick * HALF_LOG_BASE)
}

/** Input without the fee that moves the price over a stretch. */
function inputOf({ liquidity, from, to, aForB }: Stretch): number {
  return aForB ? liquidity * ((from - to) / (from * to)) : liquidity * (to - from)
}

/** Price at the start and bend: of B per A while the price falls, of A per B while it rises. */
function shapeOf({ liquidity, from, aForB }: Stretch): [price: number, bend: number] {
  return aForB ? [from * from, from / liquidity] : [1 / (from * from), 1 / (from * liquidity)]
}

/**
 * Input that a stretch takes before the contract meets a step that it cannot count in 64 bits: it refuses every swap
 * that begins such a step (docs/develop/amm.md, "Integer range").
 */
function countableInput(stretch: Stretch, ticks: TickList, tickSpacing: number, tick: number): number {
  const { liquidity, from, to, aForB } = stretch
  let [at, price] = [tick, from]
  while (aForB ? price > to : price < to) {
    const boundary = ticks.next(at, tickSpacing, aForB)
    const next = aForB ? Math.max(priceAt(boundary), to) : Math.min(priceAt(boundary), to)
    if (inputOf({ liquidity, from: price, to: next, aForB }) >= STEP_LIMIT) break
    at = aForB ? boundary - 1 : boundary
    price = next
  }
  return inputOf({ liquidity, from, to: price, aForB })
}
