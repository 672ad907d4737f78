// The swap router of one chain: finds the best way to trade one token for another over pools and order books.
import type { Ratio } from '../amm/price.ts'
import { TickList } from '../amm/tick-index.ts'
import { bookEdges, type Edge, poolEdges } from './edge.ts'
import { Overlay } from './exact.ts'
import type { ExactInRequest, ExactOutRequest, Route, RouteBook, RoutePool } from './model.ts'
import { leastOf, mostOf, type QuotedPart, quoteExactIn, quoteExactOut } from './quote.ts'

const NO_SLIPPAGE: Ratio = { numerator: 0n, denominator: 1n }

export class Router {
  private readonly pools = new Map<number, RoutePool>()
  private readonly books = new Map<number, RouteBook>()
  private readonly ticks = new Map<number, TickList>()

  /** Adds a pool, or takes notice that the pool of this id has changed. */
  putPool(pool: RoutePool): void {
    this.pools.set(pool.id, pool)
    this.ticks.delete(pool.id)
  }

  /** Takes a pool out; does nothing when it is not there. */
  removePool(id: number): void {
    this.pools.delete(id)
    this.ticks.delete(id)
  }

  /** Adds a market, or takes notice that the market of this id has changed. */
  putBook(book: RouteBook): void {
    this.books.set(book.id, book)
  }

  /** Takes a market out; does nothing when it is not there. */
  removeBook(id: number): void {
    this.books.delete(id)
  }

  /**
   * The best route for an exact input.
   *
   * @returns null when nothing can execute the whole amount
   */
  exactIn(request: ExactInRequest): Route | null {
    const { input, output, amount, maxHops = 3, slippage = NO_SLIPPAGE, books = true } = request
    if (input === output || amount <= 0n) return null
    let best: QuotedPart | null = null
    for (const path of this.paths(input, output, maxHops, books)) {
      const part = quoteExactIn(path, amount, slippage, new Overlay(this.ticksOf))
      if (part !== null && (best === null || part.output > best.output)) best = part
    }
    return best && routeOf('in', request, [best], slippage)
  }

  /**
   * The cheapest route for an exact output, over pools alone.
   *
   * @returns null when nothing can deliver the whole amount
   */
  exactOut(request: ExactOutRequest): Route | null {
    const { input, output, amount, maxHops = 3, slippage = NO_SLIPPAGE, paths = false } = request
    if (input === output || amount <= 0n) return null
    let best: QuotedPart | null = null
    for (const path of this.paths(input, output, paths ? maxHops : 1, false)) {
      const part = quoteExactOut(path, amount, slippage, new Overlay(this.ticksOf))
      if (part !== null && (best === null || part.input < best.input)) best = part
    }
    return best && routeOf('out', request, [best], slippage)
  }

  private readonly ticksOf = (pool: RoutePool): TickList => {
    let ticks = this.ticks.get(pool.id)
    if (ticks === undefined) this.ticks.set(pool.id, (ticks = TickList.from(pool.ticks.values())))
    return ticks
  }

  private *paths(input: string, output: string, maxHops: number, books: boolean): Generator<Edge[]> {
    const from = new Map<string, Edge[]>()
    const add = (edge: Edge) => from.set(edge.input, [...(from.get(edge.input) ?? []), edge])
    for (const pool of this.pools.values()) if (pool.active) poolEdges(pool).forEach(add)
    for (const book of this.books.values()) if (books && !book.frozen) bookEdges(book).forEach(add)
    const walk = function* (at: string, path: Edge[]): Generator<Edge[]> {
      for (const edge of from.get(at) ?? []) {
        if (edge.output === output) yield [...path, edge]
        else if (path.length + 1 < maxHops && edge.output !== input && !path.some((e) => e.input === edge.output))
          yield* walk(edge.output, [...path, edge])
      }
    }
    yield* walk(input, [])
  }
}

function routeOf(exact: 'in' | 'out', request: ExactInRequest, quoted: QuotedPart[], slippage: Ratio): Route {
  const input = quoted.reduce((sum, part) => sum + part.input, 0n)
  const output = quoted.reduce((sum, part) => sum + part.output, 0n)
  return {
    exact,
    inputToken: request.input,
    outputToken: request.output,
    input,
    output,
    minReceived: exact === 'in' ? leastOf(output, slippage) : output,
    maxSent: exact === 'in' ? input : mostOf(input, slippage),
    priceImpact: 0,
    parts: quoted.map((part) => ({ ...part, percent: 100 / quoted.length })),
  }
}
