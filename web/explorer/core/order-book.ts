// An order book as a page shows it: orders of the same price merged, with sums from the best price. Pure.

export interface BookOrder {
  price: string
  amount: string
}

export interface BookLevel {
  price: string
  /** Exact sum of the level's orders. */
  amount: string
  orders: number
  /** Exact sum of this level and the better ones. */
  total: string
  /** Share of the deeper side's total, 0 to 1. */
  share: number
}

export interface BookSides {
  bids: BookLevel[]
  asks: BookLevel[]
  /** Percent of the mid price; null unless both sides have orders. */
  spread: number | null
  mid: number | null
}

/** @param bids  best first, like `asks` */
export function bookSides(bids: readonly BookOrder[], asks: readonly BookOrder[], rows: number): BookSides {
  const sides = [merged(bids).slice(0, rows), merged(asks).slice(0, rows)] as const
  const most = Math.max(...sides.map((side) => Number(side.at(-1)?.total ?? 0)), 0)
  const [shownBids, shownAsks] = sides.map((side) =>
    side.map((level) => ({ ...level, share: most === 0 ? 0 : Number(level.total) / most })),
  ) as [BookLevel[], BookLevel[]]
  const [bid, ask] = [Number(bids[0]?.price), Number(asks[0]?.price)]
  const mid = bid > 0 && ask > 0 ? (bid + ask) / 2 : null
  return { bids: shownBids, asks: shownAsks, mid, spread: mid === null ? null : ((ask - bid) / mid) * 100 }
}

function merged(orders: readonly BookOrder[]): Omit<BookLevel, 'share'>[] {
  const levels: Omit<BookLevel, 'share'>[] = []
  let total = '0'
  for (const { price, amount } of orders) {
    total = sum(total, amount)
    const last = levels.at(-1)
    if (last?.price === price) Object.assign(last, { amount: sum(last.amount, amount), orders: last.orders + 1, total })
    else levels.push({ price, amount, orders: 1, total })
  }
  return levels
}

/** Exact sum of two non-negative decimal texts. */
export function sum(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other))
  const digits = (raw(one, places) + raw(other, places)).toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

const placesOf = (text: string) => (text.split('.')[1] ?? '').length

function raw(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}
