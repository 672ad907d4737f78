// Output over input of one direction of a pool or one side of a book, in doubles: pieces of concave curves that follow
// one another, rounded down to raw units at the ends. It is for searching only; what a route promises is computed
// exactly (exact.ts). Derivation: docs/api/routes.md, "Curves".

import { wordEdge } from '../amm/bitmap.ts'
import { FEE_UNIT } from '../amm/q64.ts'
import type { TickList } from '../amm/tick-index.ts'
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE } from '../amm/ticks.ts'
import { SPOT_FEE_UNIT } from '../book/fee.ts'
import type { BookOrder } from '../book/order.ts'
import type { RoutePool } from './model.ts'

/** Numbers a piece: input and output at its start, then the price there and how fast it bends. */
const STRIDE = 4
const HALF_LOG_BASE = Math.log(1.0001) / 2
/** Amounts are 63-bit, what a step could take is 64-bit. */
const AMOUNT_LIMIT = 2 ** 63
const STEP_LIMIT = 2 ** 64
/** What a product of doubles may lack of a whole number. */
const EPSILON = 1e-9
/** What a pool is not trusted to take of its capacity: doubles do not know the last unit. */
const MARGIN = 1e-9
/** Pieces that keep less than this share of what enters or leaves, and do not reach further than this in price. */
const COARSE = 0.9
const SHORT = 1.1
/** Ticks, as far as which a curve is rounded at the edges of words: few swaps move a price by a factor of 20,000. */
const EDGES_WITHIN = 200_000
/** Relative distance within which a position counts as the border of two pieces. */
const FUZZ = 1e-12

/** Relative fall of a rate that counts as one. */
const KINK = 1e-6

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
 * Within a piece, y units of input beyond its start, less the pool's fee, give p·y / (1 + k·y): exact for a pool at
 * constant liquidity, and with k = 0 for an order.
 */
export class Curve {
  /** Most input that it takes. */
  readonly end: number
  /** Share of the input that is left after the fee. */
  private readonly keep: number
  /** Share of each fill's output that is left after the fee of a market. */
  private readonly kept: number
  private readonly data: Float64Array
  /** The same for plans, without pieces of which rounding takes much. */
  private readonly planned: Float64Array
  /** Output for a unit of input at the very most, the fee off; 0 when it takes nothing. */
  readonly top: number
  /** The pieces of both that were found last: whoever asks mostly asks for about the same again. */
  private last = 0
  private lastPlanned = 0

  constructor(data: readonly number[], end: number, keep: number, { kept = 1, planned = data } = {}) {
    this.data = Float64Array.from(data)
    this.planned = planned === data ? this.data : Float64Array.from(planned)
    this.end = end
    this.keep = keep
    this.kept = kept
    let best = 0
    for (let at = 2; at < data.length; at += STRIDE) best = Math.max(best, data[at] as number)
    this.top = best * keep
  }

  /** Whole units of output for whole units of input ≥ 0; NaN when they cannot be taken completely. */
  output(input: number): number {
    if (!(input <= this.end)) return Number.NaN
    const { data } = this
    const at = this.piece(input) * STRIDE
    const y = Math.floor((input - (data[at] as number)) * this.keep + EPSILON)
    const output = (y * (data[at + 2] as number)) / (1 + y * (data[at + 3] as number))
    const { kept } = this
    const whole =
      kept === 1 ? Math.floor(output + EPSILON) : Math.floor(Math.floor(output / kept + EPSILON) * kept + EPSILON)
    return (data[at + 1] as number) + whole
  }

  /** The same without rounding to raw units: what the output would be if units were nothing. */
  smooth(input: number): number {
    const { planned: data, end } = this
    if (!(end > 0)) return Number.NaN
    const entering = Math.min(input, end)
    const at = this.plannedPiece(entering) * STRIDE
    const y = (entering - (data[at] as number)) * this.keep
    return (data[at + 1] as number) + (y * (data[at + 2] as number)) / (1 + y * (data[at + 3] as number))
  }

  /** The most by which what comes out is worth more than what enters, at a price for a unit of each. */
  surplus(worth: number, price: number): number {
    if (!(worth * this.top > price)) return 0
    const { data, keep, end } = this
    let best = 0
    for (let at = 0; at < data.length; at += STRIDE) {
      const [start, rate, bend] = [data[at] as number, data[at + 2] as number, data[at + 3] as number]
      const gain = (rate * keep * worth) / price
      if (gain <= 1) {
        if (bend > 0) break
        continue
      }
      const room = ((at + STRIDE < data.length ? (data[at + STRIDE] as number) : end) - start) * keep
      const y = bend > 0 ? Math.min(room, (Math.sqrt(gain) - 1) / bend) : room
      const output = (data[at + 1] as number) + (y * rate) / (1 + y * bend)
      best = Math.max(best, output * worth - (start + y / keep) * price)
    }
    return best
  }

  /** What of an input moves the price, as an input whose fee is no fraction of a unit: fees are rounded up. */
  entering(input: number): number {
    return Math.floor(input * this.keep + EPSILON) / this.keep
  }

  /** The most input. */
  get capacity(): number {
    return Math.floor(this.end)
  }

  /** The same, but what cannot be taken gives nothing more: for divisions that are not yet as they shall be. */
  outputUpTo(input: number): number {
    return this.output(input > this.end ? this.capacity : input)
  }

  /** Whole units of input for whole units of output > 0, about as the contracts round them; NaN when there is less. */
  input(output: number): number {
    const { data } = this
    const at = pieceOf(data, output, 1) * STRIDE
    const gain = output - (data[at + 1] as number)
    const y = gain / ((data[at + 2] as number) - gain * (data[at + 3] as number))
    // Behind the pole of a piece the quotient is negative: it never gives so much.
    if (!(y >= 0)) return Number.NaN
    const input = (data[at] as number) + Math.ceil(Math.ceil(y - EPSILON) / this.keep - EPSILON)
    return input <= this.end ? input : Number.NaN
  }

  /**
   * How the output changes when more than `input` enters.
   *
   * @param probe  the least that would enter: a border nearer than that is behind it
   */
  slopeAfter(input: number, probe: number, slope: Slope): void {
    const where = input + Math.max(probe, input * FUZZ)
    if (where > this.end) setSlope(slope, 0, 0, Number.POSITIVE_INFINITY)
    else this.slope(where, input, 1, slope)
  }

  /**
   * How the output changes when less than `input` enters.
   *
   * @param probe  the least that would be taken away
   */
  slopeBefore(input: number, probe: number, slope: Slope): void {
    const where = input - Math.max(probe, input * FUZZ)
    // More than it takes lies on it: that is given back for nothing.
    if (where > this.end) setSlope(slope, 0, 0, input - this.end)
    else this.slope(Math.max(0, where), input, -1, slope)
  }

  /**
   * The distance to the nearest position where the rate falls at once, from `input` on: negative when that lies before it,
   * and whenever more than the curve takes lies on it. NaN when there is none within a distance.
   */
  kinkNear(input: number, within: number): number {
    const { planned: data, end } = this
    if (input > end) return end - input
    const pieces = data.length / STRIDE
    const piece = this.plannedPiece(input)
    const low = data[piece * STRIDE] as number
    const high = piece + 1 < pieces ? (data[(piece + 1) * STRIDE] as number) : end
    const [back, on] = [input - low, high - input]
    if (on <= within && on <= back && this.falls(piece)) return on
    if (back <= within && piece > 0 && this.falls(piece - 1)) return -back
    return on <= within && this.falls(piece) ? on : Number.NaN
  }

  /** How far a change of the input goes before it comes to a position where the rate falls at once; all of it without one. */
  upToKink(input: number, change: number): number {
    const { planned: data, end } = this
    const pieces = data.length / STRIDE
    const [target, fuzz] = [input + change, input * FUZZ]
    if (change > 0) {
      for (let piece = this.plannedPiece(input + fuzz); piece < pieces; piece++) {
        const border = piece + 1 < pieces ? (data[(piece + 1) * STRIDE] as number) : end
        if (border >= target) break
        if (border > input + fuzz && this.falls(piece)) return border - input
      }
    } else {
      for (let piece = this.plannedPiece(Math.min(input, end) - fuzz); piece > 0; piece--) {
        const border = data[piece * STRIDE] as number
        if (border <= target) break
        if (border < input - fuzz && this.falls(piece - 1)) return border - input
      }
    }
    return change
  }

  /** Whether the rate at the end of a piece falls to that of the next one. */
  private falls(piece: number): boolean {
    const { planned: data, keep } = this
    const at = piece * STRIDE
    if ((piece + 1) * STRIDE >= data.length) return true
    const next = at + STRIDE
    const q = 1 + ((data[next] as number) - (data[at] as number)) * keep * (data[at + 3] as number)
    return (data[next + 2] as number) < ((data[at + 2] as number) / (q * q)) * (1 - KINK)
  }

  private piece(input: number): number {
    if (!isAt(this.data, this.last, input)) this.last = pieceOf(this.data, input, 0)
    return this.last
  }

  private plannedPiece(input: number): number {
    if (!isAt(this.planned, this.lastPlanned, input)) this.lastPlanned = pieceOf(this.planned, input, 0)
    return this.lastPlanned
  }

  private slope(where: number, input: number, direction: 1 | -1, slope: Slope): void {
    const { planned: data, keep } = this
    const piece = this.plannedPiece(where)
    const at = piece * STRIDE
    const start = data[at] as number
    const k = data[at + 3] as number
    const q = 1 + (where - start) * keep * k
    slope.rate = (keep * (data[at + 2] as number)) / (q * q)
    slope.bend = (2 * k * keep) / q
    const border = direction === -1 ? start : at + STRIDE < data.length ? (data[at + STRIDE] as number) : this.end
    slope.room = Math.max(0, (border - input) * direction)
  }
}

/** Whether an input lies on a piece. */
function isAt(data: Float64Array, piece: number, input: number): boolean {
  const at = piece * STRIDE
  if (!((data[at] as number) <= input)) return false
  return at + STRIDE >= data.length || (data[at + STRIDE] as number) > input
}

/** @param column  0 to look for an input, 1 for an output */
function pieceOf(data: Float64Array, amount: number, column: 0 | 1): number {
  let low = 0
  let high = data.length / STRIDE
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((data[middle * STRIDE + column] as number) <= amount) low = middle
    else high = middle
  }
  return low
}

function setSlope(slope: Slope, rate: number, bend: number, room: number): void {
  slope.rate = rate
  slope.bend = bend
  slope.room = room
}

/** A curve that takes nothing. */
export const EMPTY_CURVE = new Curve([], -1, 1)

/** @param aForB  whether token A enters */
export function poolCurve(pool: RoutePool, ticks: TickList, aForB: boolean): Curve {
  const keep = 1 - pool.fee / Number(FEE_UNIT)
  const limit = Number(aForB ? MIN_SQRT_PRICE : MAX_SQRT_PRICE) / 2 ** 64
  const data: number[] = []
  const coarse: number[] = []
  let { liquidity, tick } = pool
  let from = Number(pool.sqrtPriceX64) / 2 ** 64
  let input = 0
  let output = 0
  const step = aForB ? -1 : 1
  const last = tick + step * EDGES_WITHIN
  for (let i = firstTick(ticks.ids, tick, aForB); input < AMOUNT_LIMIT && output < AMOUNT_LIMIT; ) {
    const id = ticks.ids[i]
    // The contract rounds at the edges of its bitmap's words too. Few swaps go far enough to meet many.
    const edge = (last - tick) * step > 0 && liquidity > 0n ? wordEdge(tick, pool.tickSpacing, aForB) : undefined
    const isEdge = edge !== undefined && id !== undefined && (aForB ? edge > id : edge < id)
    const boundary = isEdge ? edge : id
    const to = boundary === undefined ? limit : priceAt(boundary)
    if (liquidity > 0n && (aForB ? to < from : to > from)) {
      const l = Number(liquidity)
      // Price and bend of the curve: of B per A while the price falls, of A per B while it rises.
      const price = aForB ? from * from : 1 / (from * from)
      const bend = aForB ? from / l : 1 / (from * l)
      const whole = inputBetween(l, from, to, aForB)
      const net = whole < STEP_LIMIT ? whole : inputBefore(ticks, pool.tickSpacing, tick, l, from, to, aForB)
      // The contract rounds each step: what enters and the fee of it up, what leaves down.
      const entering = Math.ceil(Math.ceil(net - EPSILON) / keep - EPSILON)
      const gross = (net * price) / (1 + net * bend)
      const leaving = Math.floor(gross + EPSILON)
      const isShort = aForB ? from < to * SHORT : to < from * SHORT
      if (isShort && (entering * keep * COARSE > net || leaving < gross * COARSE)) coarse.push(data.length)
      if (net > 0) data.push(input, output, price, bend)
      input += entering
      output += leaving
      if (net < whole) break
    }
    if (boundary === undefined) break
    from = aForB ? Math.min(from, to) : Math.max(from, to)
    tick = aForB ? boundary - 1 : boundary
    if (!isEdge) {
      liquidity += BigInt(step) * (ticks.nets[i] as bigint)
      i += step
    }
  }
  return data.length === 0
    ? EMPTY_CURVE
    : new Curve(data, Math.min(input, input * (1 - MARGIN) + 1, AMOUNT_LIMIT), keep, {
        planned: coarse.length === 0 ? data : withoutCoarse(data, coarse, [input, output], keep),
      })
}

/** Pieces of which rounding takes much, drawn together so that they bend down. @param coarse  their places, rising */
function withoutCoarse(
  data: readonly number[],
  coarse: readonly number[],
  end: readonly [number, number],
  keep: number,
) {
  const planned: number[] = []
  const isCoarse = new Set(coarse)
  const startOf = (at: number) =>
    (at < data.length ? [data[at] as number, data[at + 1] as number] : end) as [number, number]
  for (let at = 0; at < data.length; at += STRIDE) {
    if (!isCoarse.has(at)) {
      planned.push(...data.slice(at, at + STRIDE))
      continue
    }
    // The corners of the least line above all of them that bends down.
    const corners = [startOf(at)]
    for (; isCoarse.has(at); at += STRIDE) {
      const next = startOf(at + STRIDE)
      while (corners.length > 1 && slopeTo(corners.at(-2), next) >= slopeTo(corners.at(-2), corners.at(-1)))
        corners.pop()
      corners.push(next)
    }
    at -= STRIDE
    for (let i = 0; i + 1 < corners.length; i++)
      planned.push(...(corners[i] as [number, number]), slopeTo(corners[i], corners[i + 1]) / keep, 0)
  }
  return planned
}

function slopeTo(from: readonly number[] = [], to: readonly number[] = []): number {
  return ((to[1] as number) - (from[1] as number)) / ((to[0] as number) - (from[0] as number))
}

function priceAt(tick: number): number {
  return Math.exp(tick * HALF_LOG_BASE)
}

/** Input without the fee that moves the square-root price at constant liquidity. */
function inputBetween(liquidity: number, from: number, to: number, aForB: boolean): number {
  return aForB ? liquidity * ((from - to) / (from * to)) : liquidity * (to - from)
}

/**
 * Input that a piece takes before the contract meets a step that it cannot count in 64 bits: it refuses every swap
 * that begins such a step (docs/develop/amm.md, "Integer range").
 */
function inputBefore(
  ticks: TickList,
  tickSpacing: number,
  tick: number,
  liquidity: number,
  from: number,
  to: number,
  aForB: boolean,
): number {
  let [at, price] = [tick, from]
  while (aForB ? price > to : price < to) {
    const boundary = ticks.next(at, tickSpacing, aForB)
    const next = aForB ? Math.max(priceAt(boundary), to) : Math.min(priceAt(boundary), to)
    if (inputBetween(liquidity, price, next, aForB) >= STEP_LIMIT) break
    at = aForB ? boundary - 1 : boundary
    price = next
  }
  return inputBetween(liquidity, from, price, aForB)
}

/** Index of the first tick that a swap meets. */
function firstTick(ids: readonly number[], tick: number, aForB: boolean): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] as number) <= tick) low = middle + 1
    else high = middle
  }
  return aForB ? low - 1 : low
}

/** @param fee  hundredths of a percent of what the taker receives */
export function bookCurve(orders: readonly BookOrder[], fee: number): Curve {
  const keep = 1 - fee / Number(SPOT_FEE_UNIT)
  const data: number[] = []
  let input = 0
  let output = 0
  for (const { bid, ask } of orders) {
    if (input >= AMOUNT_LIMIT) break
    if (bid <= 0n || ask <= 0n) continue
    const [gives, takes] = [Number(bid) * keep, Number(ask)]
    data.push(input, output, gives / takes, 0)
    input += takes
    // Each fill is rounded down by itself.
    output += Math.floor(gives + EPSILON)
  }
  return data.length === 0 ? EMPTY_CURVE : new Curve(data, Math.min(input, AMOUNT_LIMIT), 1, { kept: keep })
}
