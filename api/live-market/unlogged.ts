// Finds orders and ticks that final blocks changed without logging it. Final blocks leave no before-images, so all rows
// are compared with those in memory.
import { ticksByPool } from './load.ts'
import type { LiveBook, LiveTick, MarketState } from './model.ts'
import type { SnapshotReader } from './reader.ts'

export interface Unlogged {
  pools: number[]
  books: number[]
}

/** Pools whose ticks, and markets whose orders, are not as in memory; those not in memory too. */
export async function unloggedChanges({ pools, books }: MarketState, reader: SnapshotReader): Promise<Unlogged> {
  const ticks = ticksByPool(await reader.ticks(null))
  const orders = new Map<number, string[]>()
  for (const row of await reader.orders(null)) {
    const list = orders.get(row.market)
    if (list === undefined) orders.set(row.market, [textOf(row, row.side)])
    else list.push(textOf(row, row.side))
  }
  const known = ({ bids, asks }: LiveBook) => [
    ...bids.map((order) => textOf(order, 'buy')),
    ...asks.map((order) => textOf(order, 'sell')),
  ]
  return {
    pools: [...new Set([...pools.keys(), ...ticks.keys()])].filter(
      (id) => !isSameTicks(pools.get(id)?.ticks, ticks.get(id)),
    ),
    books: [...new Set([...books.keys(), ...orders.keys()])].filter((id) => {
      const book = books.get(id)
      return !isSameSet(book === undefined ? [] : known(book), orders.get(id) ?? [])
    }),
  }
}

type OrderFacts = Record<'id' | 'account' | 'bid' | 'ask' | 'unitPrice', unknown>

function textOf({ id, account, bid, ask, unitPrice }: OrderFacts, side: string): string {
  return `${side === 'buy'} ${id} ${account} ${bid} ${ask} ${unitPrice}`
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  const all = new Set(some)
  return others.every((one) => all.has(one))
}

const NONE: ReadonlyMap<number, LiveTick> = new Map()

function isSameTicks(known = NONE, found = NONE): boolean {
  if (known.size !== found.size) return false
  for (const [id, tick] of found) {
    const other = known.get(id)
    if (other === undefined) return false
    for (const name of Object.keys(tick) as (keyof LiveTick)[]) if (tick[name] !== other[name]) return false
  }
  return true
}
