// Orders of the spot order book. The contract's names are reversed: its base token is the ticker's target and its
// quote token the ticker's base. A buy order offers target and wants base, a sell order the other way round.

export type Side = 'buy' | 'sell'

/** What an order still offers and wants, raw units. */
export interface Offer {
  bid: bigint
  ask: bigint
}

/** A resting order. Its own ratio ask / bid is its price; `unitPrice` is the same, rounded. */
export interface BookOrder extends Offer {
  id: bigint
  account: string
  /** Target per base, whole tokens, times 10^8. */
  unitPrice: bigint
}

/** Scale of unit prices. */
export const PRICE_SCALE = 100_000_000n

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
 * Orders two resting orders of one side: the best for a taker first, then the older one. Compares own ratios,
 * because unit prices are rounded.
 */
export function byPriority(a: BookOrder, b: BookOrder): number {
  // What a taker pays per unit received is ask / bid on both sides of the book.
  const left = a.ask * b.bid
  const right = b.ask * a.bid
  if (left !== right) return left < right ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
