// Exact quotes on a state that remembers what earlier legs took. The pools and books themselves are not changed: an
// overlay holds what a quote has moved, so that no liquidity is counted twice.
import { swap } from '../amm/swap.ts'
import { tickAtSqrtPrice } from '../amm/ticks.ts'
import { afterFee } from '../book/fee.ts'
import { matchOffer } from '../book/match.ts'
import type { BookOrder } from '../book/order.ts'
import type { PoolVenue } from './graph.ts'
import type { Moved } from './ladder.ts'
import type { RouteBook } from './model.ts'

/** What is left of one side of a book. */
interface Resting {
  orders: readonly BookOrder[]
  /** Index of the first order that is not filled, and what is left of it when it has been met. */
  at: number
  partial: BookOrder | null
}

/** A bought amount of a market order. */
export interface Taken {
  /** Raw units that were spent; less than the offer only when the rest would buy nothing. */
  paid: bigint
  /** Raw units received, after the fee of each fill. */
  received: bigint
}

export class Overlay {
  private readonly pools = new Map<number, Moved>()
  private readonly sides = new Map<string, Resting>()

  /** Swaps in a pool as it is by now. @returns null when the contract refuses or nothing would come out */
  swap(venue: PoolVenue, aForB: boolean, exact: 'in' | 'out', amount: bigint): Moved | null {
    if (amount <= 0n) return null
    const { pool } = venue
    const state = this.pools.get(pool.id)
    const result =
      state === undefined ? venue.ladder(aForB).swap(exact, amount) : again(state, venue, aForB, exact, amount)
    if (result === null || result.amountOut === 0n) return null
    this.pools.set(pool.id, result)
    return result
  }

  /**
   * Gives a market order to a book as it is by now.
   *
   * @param buysBase  whether target is spent
   * @returns null when the order is below the market's minimum, the book cannot fill it or nothing would come out
   */
  take(book: RouteBook, buysBase: boolean, amount: bigint): Taken | null {
    if (amount <= 0n || isBelowMinimum(book, buysBase, amount)) return null
    const key = `${book.id}${buysBase ? 'b' : 's'}`
    const side = this.sides.get(key) ?? { orders: buysBase ? book.asks : book.bids, at: 0, partial: null }
    const { fills, paid, rest } = matchOffer({ bid: amount, ask: 0n }, remaining(side))
    let received = 0n
    let { at, partial } = side
    for (const { order, received: gross, left } of fills) {
      received += afterFee(gross, book.fee)
      partial = left === null ? null : { ...order, ...left }
      if (left === null) at++
    }
    const isExhausted = rest !== null && at >= side.orders.length
    if (isExhausted || received === 0n || isBelowMinimum(book, buysBase, paid)) return null
    this.sides.set(key, { orders: side.orders, at, partial })
    return { paid, received }
  }
}

/** A swap in a pool that another one has moved. Fee growth is not followed: no amount depends on it. */
function again(
  { sqrtPriceX64, tick: known, liquidity }: Moved,
  { pool: { fee, tickSpacing }, ticks }: PoolVenue,
  aForB: boolean,
  exact: 'in' | 'out',
  amount: bigint,
): Moved | null {
  const tick = known ?? tickAtSqrtPrice(sqrtPriceX64)
  const growth = { feeProtocol: 0, feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n }
  const result = swap({ fee, tickSpacing, sqrtPriceX64, tick, liquidity, ...growth }, ticks, { aForB, exact, amount })
  return result.ok ? result : null
}

function* remaining({ orders, at, partial }: Resting): Generator<BookOrder> {
  if (partial !== null) yield partial
  for (let i = partial === null ? at : at + 1; i < orders.length; i++) yield orders[i] as BookOrder
}

const powers: bigint[] = []

function powerOfTen(exponent: number): bigint {
  return (powers[exponent] ??= 10n ** BigInt(exponent))
}

/** Whether a market order spends less than the market accepts. */
export function isBelowMinimum(book: RouteBook, buysBase: boolean, amount: bigint): boolean {
  const token = buysBase ? book.target : book.base
  const least = buysBase ? book.minBuy : book.minSell
  const decimals = buysBase ? book.minBuyDecimals : book.minSellDecimals
  return amount * powerOfTen(decimals) < least * powerOfTen(token.decimals)
}
