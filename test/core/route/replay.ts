// Executes the transfers of a route one after the other on states of its own, without the router's code: pools by
// core/amm step by step, books by core/book, fees by each fill.
import { type SwapPool, swap } from '../../../core/amm/swap.ts'
import { TickList } from '../../../core/amm/tick-index.ts'
import { afterFee } from '../../../core/book/fee.ts'
import { matchOffer } from '../../../core/book/match.ts'
import { type BookOrder, byPriority } from '../../../core/book/order.ts'
import type { Route, RouteBook, RoutePool } from '../../../core/route/model.ts'

interface Book {
  asks: BookOrder[]
  bids: BookOrder[]
}

export class Replay {
  private readonly pools = new Map<number, SwapPool>()
  private readonly books = new Map<number, Book>()
  /** What the user has beside what the first transfers bring, by token. */
  readonly balance = new Map<string, bigint>()

  /** @returns what the user gets of the route's output token, and what was spent of its input token */
  run(route: Route): { spent: bigint; received: bigint } {
    this.add(route.inputToken, route.exact === 'in' ? route.input : route.maxSent + BigInt(route.parts.length))
    const before = this.balance.get(route.inputToken) as bigint
    for (const part of route.parts) {
      for (const transfer of part.transfers) {
        const amount = transfer.hops.length > 0 && route.exact === 'out' ? transfer.amountOut : transfer.quantity
        this.add(transfer.input, -transfer.quantity)
        let moved = amount
        if (route.exact === 'out') {
          for (const hop of [...transfer.hops].reverse())
            moved = this.pool(hop.pool as RoutePool, hop.output, 'out', moved)
          this.add(transfer.input, transfer.quantity - moved)
          this.add(transfer.output, amount)
          continue
        }
        for (const hop of transfer.hops) {
          moved =
            hop.pool !== null
              ? this.pool(hop.pool, hop.input, 'in', moved)
              : this.book(hop.book as RouteBook, hop.input, moved)
        }
        if (moved < transfer.minimum) throw new Error(`${moved} is less than the minimum ${transfer.minimum}`)
        // The next transfer may rely on the minimum alone: what comes beyond it is kept apart.
        const isLast = transfer === part.transfers[part.transfers.length - 1]
        this.add(transfer.output, isLast ? moved : transfer.minimum)
      }
    }
    const spent = before - (this.balance.get(route.inputToken) as bigint)
    return { spent, received: this.balance.get(route.outputToken) ?? 0n }
  }

  private add(token: string, amount: bigint): void {
    const balance = (this.balance.get(token) ?? 0n) + amount
    if (balance < 0n) throw new Error(`${token} is overdrawn by ${-balance}`)
    this.balance.set(token, balance)
  }

  private pool(pool: RoutePool, token: string, exact: 'in' | 'out', amount: bigint): bigint {
    const state = this.pools.get(pool.id) ?? pool
    const aForB = (token === pool.a.id) === (exact === 'in')
    const result = swap(state, TickList.from(pool.ticks.values()), { aForB, exact, amount })
    if (!result.ok) throw new Error(`pool ${pool.id}: ${result.error}`)
    const { sqrtPriceX64, tick, liquidity } = result
    this.pools.set(pool.id, { ...state, sqrtPriceX64, tick, liquidity })
    return exact === 'in' ? result.amountOut : result.amountIn
  }

  private book(book: RouteBook, token: string, amount: bigint): bigint {
    let state = this.books.get(book.id)
    if (state === undefined) {
      state = { asks: [...book.asks].sort(byPriority), bids: [...book.bids].sort(byPriority) }
      this.books.set(book.id, state)
    }
    const side = token === book.target.id ? 'asks' : 'bids'
    const { fills, rest } = matchOffer({ bid: amount, ask: 0n }, state[side])
    if (rest !== null) throw new Error(`market ${book.id} leaves ${rest.bid}`)
    const met = new Map(fills.map(({ order, left }) => [order.id, left]))
    state[side] = state[side].flatMap((order) => {
      const left = met.get(order.id)
      return left === undefined ? [order] : left === null ? [] : [{ ...order, ...left }]
    })
    return fills.reduce((sum, { received }) => sum + afterFee(received, book.fee), 0n)
  }
}
