// Orders of the spot order book. The contract's names are reversed: its base token is the ticker's target, its quote
// token the ticker's base. A buy order offers target and asks base; a sell order is the reverse.

export type Side = 'buy' | 'sell'

/** Remaining amounts that an order offers and asks, raw units. */
export interface Offer {
  bid: bigint
  ask: bigint
}

/** A resting order. Its exact price is ask / bid; `unitPrice` is the rounded price. */
export interface BookOrder extends Offer {
  id: bigint
  account: string
  /** Target per base, whole tokens, times 10^8. */
  unitPrice: bigint
}

/** Scale of unit prices. */
const PRICE_SCALE = 100_000_000n

/**
 * Price of one base token in target tokens, times 10^8, rounded down.
 *
 * @param offer  both members above 0
 */
export function unitPrice(side: Side, offer: Offer, targetDecimals: number, baseDecimals: number): bigint {
  const target = side === 'buy' ? offer.bid : offer.ask
  const base = side === 'buy' ? offer.ask : offer.bid
  return (target * PRICE_SCALE * 10n ** BigInt(baseDecimals)) / (base * 10n ** BigInt(targetDecimals))
}

/**
 * Compares two resting orders of one side: best for a taker first, then older first. Uses exact ratios, because unit
 * prices are rounded.
 */
export function byPriority(a: BookOrder, b: BookOrder): number {
  // A taker pays ask / bid per unit received on both sides of the book.
  const left = a.ask * b.bid
  const right = b.ask * a.bid
  if (left !== right) return left < right ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
