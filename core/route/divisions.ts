// Divisions of one request: exact quotes, comparisons and the local search.
import type { Ratio } from '../amm/price.ts'
import type { Edge } from './graph.ts'
import { LocalSearch, PathValues } from './local-search.ts'
import { NOTABLE, RATIO, SHORTLIST, TRIES } from './model.ts'
import { outputOf, type Path, samePath } from './path.ts'
import type { PathQuery } from './path-search.ts'
import { executeIn, executeOut, Overlay, withRest } from './quote.ts'
import { CornerSearch, knapsack, SINGLE_UNITS, STEPS } from './starts.ts'

/** What more hops, parts or order books may cost, relatively. */
export const TOLERANCE = 1e-4
/** Paths of a local search: those of the division and others. */
const SEARCHED_PATHS = 10
/** The part of an amount, one in so many, of which the next larger one is moved off a full venue at first. */
const LEAST_MOVED = BigInt(RATIO) ** 11n

export interface Limits {
  maxHops: number
  maxParts: number
  books: boolean
}

export interface Query extends PathQuery {
  exact: 'in' | 'out'
  /** Raw units: of the input for an exact input, of the output for an exact output. */
  amount: bigint
  slippage: Ratio
  maxParts: number
}

/** A division that can be executed. */
export interface Division {
  paths: readonly Path[]
  /** By path, above 0: inputs for an exact input, outputs for an exact output. */
  amounts: readonly bigint[]
  /** Sums over the parts, exact. */
  input: bigint
  output: bigint
}

export class Divisions {
  protected readonly query: Query
  protected readonly amount: number
  /** Whether the input is exact and the output sought; otherwise the other way round. */
  protected readonly isIn: boolean
  /** Values of divisions by exact quotes, and in doubles that are rounded as the contracts round. */
  private readonly exact = new PathValues((paths, amounts) => this.quotedValue(paths, amounts), true)
  private readonly rounded = new PathValues((paths, amounts) => this.roundedValue(paths, amounts), false)
  /** The last edge that could not be executed. */
  private refused: Edge | null = null

  constructor(query: Query) {
    this.query = query
    this.amount = Number(query.amount)
    this.isIn = query.exact === 'in'
  }

  /** Whether a division is so near a bound that none can be better by more than the tolerance. */
  protected isWithin(division: Division | null, ceiling: number): boolean {
    if (division === null) return false
    const [input, output] = [Number(division.input), Number(division.output)]
    return this.isIn ? Math.floor(ceiling) <= output * (1 + TOLERANCE) : Math.ceil(ceiling) >= input * (1 - TOLERANCE)
  }

  /** The better one: more output, or less input for an exact output; of equals the one with fewer parts. */
  protected better(one: Division | null, other: Division | null): Division | null {
    if (one === null || other === null) return one ?? other
    const gain = this.isIn ? other.output - one.output : one.input - other.input
    return gain > 0n || (gain === 0n && other.paths.length < one.paths.length) ? other : one
  }

  /** Quotes a division in its order. @returns null when a leg is refused */
  protected quote(paths: readonly Path[], amounts: readonly bigint[]): Division | null {
    const { slippage } = this.query
    const overlay = new Overlay()
    const used = paths.flatMap((path, i) => (amounts[i] === 0n ? [] : [{ path, amount: amounts[i] as bigint }]))
    let [whole, sum] = [0n, 0n]
    for (const { path, amount } of used) {
      const other = (this.isIn ? executeIn : executeOut)(path, amount, slippage, overlay)
      if (typeof other !== 'bigint') {
        this.refused = other
        return null
      }
      whole += amount
      sum += other
    }
    const [input, output] = this.isIn ? [whole, sum] : [sum, whole]
    return { paths: used.map(({ path }) => path), amounts: used.map(({ amount }) => amount), input, output }
  }

  /** Quotes a plan. Where a venue holds less than the plan needs, the last part over it gives some of its input away. */
  protected quoteSplit(paths: readonly Path[], parts: readonly number[]): Division | null {
    let amounts = withRest(
      this.query.amount,
      parts.map((part) => BigInt(Math.floor(part))),
    )
    if (amounts.some((amount) => amount < 0n)) return null
    // What is to be taken from a part, by the venue that is full: next to nothing, then more again and again.
    const full = new Map<Edge, bigint>()
    for (;;) {
      const found = this.quote(paths, amounts)
      const edge = this.refused
      if (found !== null || edge === null) return found
      const share = (full.get(edge) ?? LEAST_MOVED) / BigInt(RATIO)
      const from = paths.findLastIndex((path, i) => path.includes(edge) && (amounts[i] as bigint) > 0n)
      const to = largestBeyond(paths, amounts, from, full.set(edge, share))
      if (share < RATIO || from < 0 || to === undefined) return null
      const moved = (amounts[from] as bigint) / share + 1n
      amounts = amounts.with(from, (amounts[from] as bigint) - moved).with(to, (amounts[to] as bigint) + moved)
    }
  }

  /** A local search from a division: by exact quotes, or in doubles that are rounded as the contracts do. */
  protected improve(from: Division, reserve: readonly Path[], maxParts: number, isExact: boolean): Division {
    const paths = distinct([...from.paths, ...reserve]).slice(0, Math.max(SEARCHED_PATHS, from.paths.length))
    const amounts = paths.map((_, i) => Number(from.amounts[i] ?? 0n))
    const rounded = this.valueOf(paths, this.rounded)
    const exact = this.valueOf(paths, this.exact)
    // Doubles may be wrong by a notable share for either division.
    const screened = (some: readonly number[], least: number) =>
      rounded(some) < least * (1 - 2 * NOTABLE) ? Number.NEGATIVE_INFINITY : exact(some)
    const value = !isExact ? rounded : this.isIn ? screened : exact
    const whole = withRest(
      this.query.amount,
      new LocalSearch(amounts, value, maxParts).run().map((amount) => BigInt(Math.floor(amount))),
    )
    const quoted = whole.every((amount) => amount >= 0n) ? this.quote(paths, whole) : null
    return this.better(from, quoted) ?? from
  }

  private valueOf(paths: readonly Path[], values: PathValues): (amounts: readonly number[]) => number {
    const numbers = paths.map((path) => values.numberOf(path))
    return (amounts) => values.of(numbers, amounts)
  }

  private quotedValue(paths: readonly Path[], amounts: readonly number[]): number {
    const quoted = this.quote(
      paths,
      amounts.map((amount) => BigInt(Math.floor(amount))),
    )
    if (quoted === null) return Number.NEGATIVE_INFINITY
    return this.isIn ? Number(quoted.output) : -Number(quoted.input)
  }

  private roundedValue(paths: readonly Path[], amounts: readonly number[]): number {
    const sum = outputOf(paths, amounts, this.query.guaranteed, true)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  /** The best divisions in equal steps, one for each number of parts. */
  protected stepwise(some: readonly Path[]): Division[] {
    const { amount } = this
    const paths = distinct(some).slice(0, 2 * SHORTLIST)
    const all = amount <= SINGLE_UNITS ? amount : STEPS
    const part = (steps: number) => Math.floor((amount * steps) / all)
    const outputs = paths.map((path) => {
      const value = this.valueOf([path], this.rounded)
      return Float64Array.from({ length: all + 1 }, (_, steps) => value([part(steps)]))
    })
    return knapsack(outputs, all, this.query.maxParts).flatMap(
      (division) => this.quoteSplit(paths, division.map(part)) ?? [],
    )
  }

  /** Divisions at the limits of venues, the best few for each number of parts. */
  protected corners(some: readonly Path[]): Division[] {
    const paths = distinct(some).slice(0, SHORTLIST)
    if (paths.length < 2) return []
    // Where few paths share few units, doubles may be wrong by a unit.
    const values = paths.length <= TRIES && this.amount <= SINGLE_UNITS ? this.exact : this.rounded
    const numbers = paths.map((path) => values.numberOf(path))
    const found = new CornerSearch(numbers, this.amount, values).run(this.query.maxParts)
    const path = (number: number) => paths[numbers.indexOf(number)] as Path
    return found.flatMap((corner) => this.quoteSplit(corner.paths.map(path), corner.amounts) ?? [])
  }
}

/** The largest part next to another one, of those over the fewest full venues. A path without input stays without. */
function largestBeyond(
  paths: readonly Path[],
  amounts: readonly bigint[],
  except: number,
  full: ReadonlyMap<Edge, unknown>,
): number | undefined {
  const filled = paths.map((path) => path.filter((edge) => full.has(edge)).length)
  const others = paths.flatMap((_, i) => (i === except || amounts[i] === 0n ? [] : [i]))
  return others.sort(
    (a, b) => (filled[a] as number) - (filled[b] as number) || Number((amounts[b] as bigint) - (amounts[a] as bigint)),
  )[0]
}

function distinct(paths: readonly Path[]): Path[] {
  return paths.filter((path, i) => paths.findIndex((known) => samePath(known, path)) === i)
}
