// Divisions of an amount, executed without the router's code: pools by core/amm step by step, books by core/book, one
// part after the other on a shared state. And all paths of a market, to try everything on.
import { type SwapPool, swap } from '../../../core/amm/swap.ts'
import { TickList } from '../../../core/amm/tick-index.ts'
import { afterFee } from '../../../core/book/fee.ts'
import { matchOffer } from '../../../core/book/match.ts'
import type { BookOrder } from '../../../core/book/order.ts'
import type { Route, RouteBook, RoutePool } from '../../../core/route/model.ts'

type Ratio = { numerator: bigint; denominator: bigint }

/** One use of a venue: exactly one of the two is there. */
export interface Hop {
  pool: RoutePool | null
  book: RouteBook | null
  /** Token that enters. */
  input: string
  output: string
}

export interface Share {
  hops: readonly Hop[]
  amount: bigint
}

/** What earlier parts have left of pools and sides of books. */
export class State {
  readonly pools: Map<number, SwapPool>
  readonly sides: Map<string, readonly BookOrder[]>

  constructor(from?: State) {
    this.pools = new Map(from?.pools)
    this.sides = new Map(from?.sides)
  }
}

const NO_SLIPPAGE: Ratio = { numerator: 0n, denominator: 1n }
const lists = new WeakMap<RoutePool, TickList>()

function ticksOf(pool: RoutePool): TickList {
  let list = lists.get(pool)
  if (list === undefined) lists.set(pool, (list = TickList.from(pool.ticks.values())))
  return list
}

/** @returns the output of a division; null when a leg would be refused or filled in part */
export function simulate(shares: readonly Share[], slippage: Ratio = NO_SLIPPAGE): bigint | null {
  const state = new State()
  let sum = 0n
  for (const { hops, amount } of shares) {
    if (amount === 0n) continue
    const output = simulateOne(hops, amount, state, slippage)
    if (output === null) return null
    sum += output
  }
  return sum
}

/** The same for one part, which leaves its traces in the state. */
export function simulateOne(hops: readonly Hop[], amount: bigint, state: State, slippage = NO_SLIPPAGE): bigint | null {
  const { numerator, denominator } = slippage
  let moved = amount
  for (let i = 0; i < hops.length; i++) {
    const { pool, book, input } = hops[i] as Hop
    const isNewTransfer = i > 0 && !(pool !== null && hops[i - 1]?.pool)
    // A transfer spends what the one before it guarantees.
    if (isNewTransfer) moved = (moved * (denominator - numerator)) / denominator
    const result =
      pool !== null ? overPool(state, pool, input, moved) : overBook(state, book as RouteBook, input, moved, i > 0)
    if (result === null) return null
    moved = result
  }
  return moved
}

function overPool(state: State, pool: RoutePool, input: string, amount: bigint): bigint | null {
  const before = state.pools.get(pool.id) ?? pool
  const result = swap(before, ticksOf(pool), { aForB: input === pool.a.id, exact: 'in', amount })
  if (!result.ok || result.amountOut === 0n) return null
  const { sqrtPriceX64, tick, liquidity } = result
  state.pools.set(pool.id, { ...before, sqrtPriceX64, tick, liquidity })
  return result.amountOut
}

function overBook(state: State, book: RouteBook, input: string, amount: bigint, mayTrim: boolean): bigint | null {
  const isBuy = input === book.target.id
  const side = `${book.id} ${isBuy}`
  const resting = state.sides.get(side) ?? (isBuy ? book.asks : book.bids)
  const { fills, paid, rest } = matchOffer({ bid: amount, ask: 0n }, resting)
  const filled = new Map(fills.map(({ order, left }) => [order.id, left]))
  const left = resting.flatMap((order) => {
    const rest = filled.get(order.id)
    return rest === undefined ? [order] : rest === null ? [] : [{ ...order, ...rest }]
  })
  const [least, decimals, own] = isBuy
    ? [book.minBuy, book.minBuyDecimals, book.target.decimals]
    : [book.minSell, book.minSellDecimals, book.base.decimals]
  if (paid * 10n ** BigInt(decimals) < least * 10n ** BigInt(own)) return null
  // Less is sent when the rest would buy nothing; what the book cannot fill is no trade.
  if (rest !== null && (!mayTrim || left.length === 0)) return null
  state.sides.set(side, left)
  const received = fills.reduce((sum, fill) => sum + afterFee(fill.received, book.fee), 0n)
  return received === 0n ? null : received
}

/** Every way of at most `maxHops` hops that meets no token twice. */
export function allPaths(
  pools: readonly RoutePool[],
  books: readonly RouteBook[],
  input: string,
  output: string,
  maxHops = 3,
): Hop[][] {
  const found: Hop[][] = []
  const walk = (at: string, path: Hop[], seen: readonly string[]): void => {
    const step = (hop: Hop): void => {
      if (hop.output === output) found.push([...path, hop])
      else if (path.length + 1 < maxHops && !seen.includes(hop.output))
        walk(hop.output, [...path, hop], [...seen, hop.output])
    }
    for (const pool of pools) {
      if (pool.a.id === at) step({ pool, book: null, input: at, output: pool.b.id })
      else if (pool.b.id === at) step({ pool, book: null, input: at, output: pool.a.id })
    }
    for (const book of books) {
      if (book.target.id === at) step({ pool: null, book, input: at, output: book.base.id })
      else if (book.base.id === at) step({ pool: null, book, input: at, output: book.target.id })
    }
  }
  walk(input, [], [input])
  return found
}

/** The division of a route. */
export function sharesOf(route: Route): Share[] {
  return route.parts.map(({ hops, input }) => ({ hops, amount: input }))
}
