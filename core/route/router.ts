// The swap router of one chain: finds the best way to trade one token for another over pools and order books. How:
// docs/api/routes.md.
import type { Limits } from './divisions.ts'
import { RouteGraph } from './graph.ts'
import {
  ASSET_LIMIT,
  type ExactInRequest,
  type ExactOutRequest,
  MAX_HOPS,
  MAX_PARTS,
  NO_SLIPPAGE,
  type Route,
  type RouteRequest,
} from './model.ts'
import {
  guaranteedShare,
  maximumOf,
  minimumOf,
  Overlay,
  partForInput,
  partForOutput,
  percents,
  priceImpact,
} from './quote.ts'
import { Solver } from './solver.ts'

export class Router extends RouteGraph {
  /** Computes all curves, which requests would otherwise compute when they first meet a pool: worth it after loading. */
  warm(): void {
    for (const _ of this.warmSteps());
  }

  /**
   * The best route for an exact input.
   *
   * @returns null when nothing can execute the whole amount, or the tokens or the amount are invalid
   */
  exactIn(request: ExactInRequest): Route | null {
    const { maxHops = MAX_HOPS, maxParts = MAX_PARTS, books = true } = request
    return this.solve('in', request, { maxHops, maxParts, books })
  }

  /**
   * The cheapest route for an exact output, over pools alone.
   *
   * @returns null when nothing can deliver the whole amount, or the tokens or the amount are invalid
   */
  exactOut(request: ExactOutRequest): Route | null {
    const { maxHops = MAX_HOPS, maxParts = MAX_PARTS, paths = false } = request
    return this.solve('out', request, { maxHops: paths ? maxHops : 1, maxParts, books: false })
  }

  private solve(exact: 'in' | 'out', request: RouteRequest, limits: Limits): Route | null {
    const { amount, slippage = NO_SLIPPAGE } = request
    const [input, output] = [this.node(request.input), this.node(request.output)]
    if (!input || !output || input === output || amount <= 0n || amount >= ASSET_LIMIT) return null
    const maxHops = Math.min(limits.maxHops, MAX_HOPS)
    const maxParts = Math.min(limits.maxParts, MAX_PARTS)
    const guaranteed = guaranteedShare(slippage)
    const query = { exact, input, output, amount, slippage, guaranteed, books: limits.books, maxHops, maxParts }
    const best = new Solver(this, query).solve()
    if (best === null) return null
    const overlay = new Overlay()
    const quote = exact === 'in' ? partForInput : partForOutput
    const parts = best.paths.map((path, i) => quote(path, best.amounts[i] as bigint, slippage, overlay))
    const percent = percents(best.amounts)
    return {
      exact,
      inputToken: request.input,
      outputToken: request.output,
      input: best.input,
      output: best.output,
      minReceived: exact === 'in' ? minimumOf(best.output, slippage) : best.output,
      maxSent: exact === 'in' ? best.input : maximumOf(best.input, slippage),
      priceImpact: priceImpact(parts),
      parts: parts.map((part, i) => ({ percent: percent[i] as number, ...part })),
    }
  }
}
