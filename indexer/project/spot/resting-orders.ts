// Finds the resting order of each deal. The log of a deal names the account and the price of the order, not its id. An
// order that a deal hit is changed or removed by that block, or was placed in it. So if the block has only one such order
// of the account at the price, that is the order. With several, the id stays null. Relies on an order keeping its price.

/** The values in a deal's log that identify its order. */
export interface OrderPlace {
  marketId: bigint
  side: 'buy' | 'sell'
  account: string
  unitPrice: bigint
}

interface DealColumns {
  orderId: bigint | null
}

/** Deals and orders of one block. */
export class RestingOrders {
  readonly #deals: { place: OrderPlace; columns: DealColumns }[] = []
  readonly #orders: { place: OrderPlace; orderId: bigint }[] = []
  #missesOrders = false

  /** @param columns  of the deal's row; `resolve` sets its `orderId` */
  addDeal(place: OrderPlace, columns: DealColumns): void {
    this.#deals.push({ place, columns })
  }

  /** Adds an order that an action of the block places. */
  addPlaced(place: OrderPlace, orderId: bigint): void {
    this.#orders.push({ place, orderId })
  }

  /** Adds an order whose row the block changes or removes. Call after all actions: only deals before it count. */
  addChanged(place: OrderPlace, orderId: bigint): void {
    // A node's full state has all orders, and no deal.
    if (this.#deals.length > 0) this.#orders.push({ place, orderId })
  }

  /** Call for an order that could not be decoded, or is not read yet: no deal of the block gets its order. */
  missOrder(): void {
    this.#missesOrders = true
  }

  /** Sets the order of each deal and removes the deals. Call after all orders of the block have been added. */
  resolve(): void {
    const deals = this.#deals.splice(0)
    if (deals.length === 0 || this.#missesOrders) return
    const byPlace = new Map<string, Set<bigint>>()
    for (const { place, orderId } of this.#orders) {
      const key = keyOf(place)
      const ids = byPlace.get(key)
      if (ids) ids.add(orderId)
      else byPlace.set(key, new Set([orderId]))
    }
    for (const { place, columns } of deals) {
      const ids = [...(byPlace.get(keyOf(place)) ?? [])]
      if (ids.length === 1) columns.orderId = ids[0] ?? null
    }
  }
}

function keyOf({ marketId, side, account, unitPrice }: OrderPlace): string {
  return `${marketId} ${side} ${account} ${unitPrice}`
}
