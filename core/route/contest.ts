// Contenders for a request are quoted exactly; the best of them is the route.
import type { Ratio } from '../amm/price.ts'
import { Overlay } from './exact.ts'
import { priceImpact } from './impact.ts'
import type { Route, RouteRequest } from './model.ts'
import { type Path, samePath } from './path.ts'
import { leastOf, mostOf, type QuotedPart, quoteExactIn, quoteExactOut, Refusal } from './quote.ts'
import { percents } from './shares.ts'

/** Sizes of moves, as shares of the whole: halves of each other. */
const SIZES = 9
/** Divisions that are quoted where single units count. */
const EXACT_TRIALS = 200
/** Below this a unit is more than a hundredth of a percent. */
const COARSE_AMOUNT = 10_000n

interface Contender {
  paths: readonly Path[]
  amounts: readonly bigint[]
  parts: QuotedPart[]
  input: bigint
  output: bigint
}

export class Contest {
  /** The leg that could not be executed in the last refused contender. */
  refused: Refusal | null = null

  /** Begins another attempt. */
  forgetRefusal(): void {
    this.refused = null
  }
  private readonly exact: 'in' | 'out'
  private readonly request: RouteRequest
  private readonly slippage: Ratio
  private best: Contender | null = null

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
    if (this.isBetter(input, output, parts.length)) this.best = { paths, amounts, parts, input, output }
    return true
  }

  /** Whether the best contender trades so few raw units that their rounding counts. */
  get isCoarse(): boolean {
    return this.best !== null && (this.best.input < COARSE_AMOUNT || this.best.output < COARSE_AMOUNT)
  }

  /**
   * Moves amounts of many sizes between paths, quoting each division exactly: where single units count, nothing less
   * finds the best one.
   *
   * @param reserve  paths to try beside those of the best contender
   */
  climb(reserve: readonly Path[], maxParts: number): void {
    let trials = EXACT_TRIALS
    for (let improved = true; improved; ) {
      improved = false
      const start = this.best
      if (start === null) return
      const paths = [...start.paths, ...reserve.filter((path) => !start.paths.some((known) => samePath(known, path)))]
      const amounts = paths.map((_, i) => start.amounts[i] ?? 0n)
      const used = amounts.filter((amount) => amount > 0n).length
      for (let size = 1; size <= SIZES; size++) {
        for (let from = 0; from < start.paths.length; from++) {
          for (let to = 0; to < paths.length; to++) {
            const moved = this.amount >> BigInt(size)
            const left = (amounts[from] as bigint) - moved
            if (from === to || moved === 0n || left < 0n) continue
            if (amounts[to] === 0n && left > 0n && used >= maxParts) continue
            if (trials-- <= 0) return
            this.enter(
              paths,
              amounts.map((amount, i) => (i === from ? left : i === to ? amount + moved : amount)),
            )
          }
        }
      }
      improved = this.best !== start
    }
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
