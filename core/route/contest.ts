// Contenders for a request are quoted exactly; the best of them is the route.
import type { Ratio } from '../amm/price.ts'
import { Overlay } from './exact.ts'
import { priceImpact } from './impact.ts'
import type { Route, RouteRequest } from './model.ts'
import type { Path } from './path.ts'
import { leastOf, mostOf, type QuotedPart, quoteExactIn, quoteExactOut, Refusal } from './quote.ts'
import { percents } from './shares.ts'

export class Contest {
  /** The leg that could not be executed in the last refused contender. */
  refused: Refusal | null = null
  private readonly exact: 'in' | 'out'
  private readonly request: RouteRequest
  private readonly slippage: Ratio
  private best: { parts: QuotedPart[]; input: bigint; output: bigint } | null = null

  constructor(exact: 'in' | 'out', request: RouteRequest, slippage: Ratio) {
    this.exact = exact
    this.request = request
    this.slippage = slippage
  }

  /** What is divided: input for exact input, output for exact output. */
  get amount(): bigint {
    return this.request.amount
  }

  /** Input of the best contender, null before there is one. */
  get input(): bigint | null {
    return this.best?.input ?? null
  }

  /** Output of the best contender, null before there is one. */
  get output(): bigint | null {
    return this.best?.output ?? null
  }

  /**
   * Quotes paths in their order.
   *
   * @param amounts  for each path, raw units: together the amount of the request
   * @returns whether it can be executed
   */
  enter(paths: readonly Path[], amounts: readonly bigint[]): boolean {
    const overlay = new Overlay()
    const quote = this.exact === 'in' ? quoteExactIn : quoteExactOut
    const parts: QuotedPart[] = []
    for (let i = 0; i < paths.length; i++) {
      const amount = amounts[i] as bigint
      if (amount === 0n) continue
      const part = quote(paths[i] as Path, amount, this.slippage, overlay)
      if (part instanceof Refusal) {
        this.refused = part
        return false
      }
      parts.push(part)
    }
    const input = parts.reduce((sum, part) => sum + part.input, 0n)
    const output = parts.reduce((sum, part) => sum + part.output, 0n)
    if (this.isBetter(input, output, parts.length)) this.best = { parts, input, output }
    return true
  }

  result(): Route | null {
    if (this.best === null) return null
    const { exact, slippage, request } = this
    const { parts, input, output } = this.best
    const percent = percents(parts.map((part) => (exact === 'in' ? part.input : part.output)))
    return {
      exact,
      inputToken: request.input,
      outputToken: request.output,
      input,
      output,
      minReceived: exact === 'in' ? leastOf(output, slippage) : output,
      maxSent: exact === 'in' ? input : mostOf(input, slippage),
      priceImpact: priceImpact(parts),
      parts: parts.map((part, i) => ({ ...part, percent: percent[i] as number })),
    }
  }

  private isBetter(input: bigint, output: bigint, parts: number): boolean {
    const { best } = this
    if (best === null) return true
    const difference = this.exact === 'in' ? output - best.output : best.input - input
    return difference > 0n || (difference === 0n && parts < best.parts.length)
  }
}
