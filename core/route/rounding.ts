// What whole raw units do to the price of a route: the most that rounding can have cost, and the price at which the
// route starts when nothing is rounded. Both matter for tokens with few units, such as tokens of 0 decimals.
import { spotPrice } from './impact.ts'
import type { Route, RouteHop, RoutePart } from './model.ts'

/**
 * Raw units by which a hop may round what enters (its fee) and what leaves: less than one for each step of a swap. Few
 * units take one or two steps; of many, more steps matter less.
 */
export const ROUNDED_UNITS = 2

/**
 * Bound of what rounding has cost.
 *
 * @returns share of the output; 0.01 means that the output without rounding is at most 1 percent more
 */
export function roundingLoss({ parts, output }: Route): number {
  let loss = 0
  for (const part of parts) {
    let units = 0
    for (const { amountIn, amountOut } of part.hops) units += 1 / Number(amountIn) + 1 / Number(amountOut)
    loss += ROUNDED_UNITS * units * Number(part.output)
  }
  return loss / Number(output)
}

/**
 * Price at which the parts of a route start, by their input: that of infinitely small trades over the same paths, fees
 * included, nothing rounded.
 *
 * @param kept  what each transfer but the first may spend of the expectation before it
 * @returns raw units of output per raw unit of input; 0 over pools that have no liquidity at their price
 */
export function startPrice({ parts, input }: Route, kept: number): number {
  return parts.reduce((sum, part) => sum + Number(part.input) * startOf(part, kept), 0) / Number(input)
}

function startOf({ hops, transfers }: RoutePart, kept: number): number {
  return hops.reduce((price, hop) => price * spotPrice(hop) * (1 - feeShare(hop)), kept ** (transfers.length - 1))
}

function feeShare({ pool, book }: RouteHop): number {
  if (pool !== null) return pool.liquidity === 0n ? 1 : pool.fee / 1e6
  return (book?.fee ?? 0) / 1e4
}
