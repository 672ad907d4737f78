// Local search: improves a division of an amount over paths by exact integer outputs. Each hop rounds down, so divisions
// with equal marginal prices still differ in output. A move takes an amount from one path and gives it to another, used or
// unused; it is accepted when the output rises.
import { EPSILON } from './curve.ts'
import { RATIO, SHARES, SHORTLIST } from './model.ts'
import { type Path, samePath, sharesEdge, sharesOf } from './path.ts'

/** Maximum number of divisions that are tried: bounds the time of the slowest requests. */
const TRIALS = 1200
/** The search ends after this number of consecutive rounds without a gain: the second one tries other sizes. */
const IDLE_ROUNDS = 2
/** Number of sizes of moves between two paths, down to 1/256 of an amount. They vary with the move. */
const SIZES = 5
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Value of a division by its amounts: more is better. −∞ when it cannot be executed; may be −∞ when it is less than
 * `least`. The list of amounts is reused after the call.
 */
export type Value = (amounts: readonly number[], least: number) => number

/**
 * @param from  by path, whole units; 0 for an unused path
 * @returns the best division found; the given one when nothing is better
 */
export function localSearch(from: readonly number[], value: Value, maxParts: number): readonly number[] {
  let best = from
  let total = value(from, Number.NEGATIVE_INFINITY)
  let [trials, moves] = [TRIALS, 0]
  // One list is reused, because a request tries thousands of divisions.
  const trial = from.slice()
  const move = (giver: number, taker: number, amount: number) => {
    const [giving, taking] = [best[giver] as number, best[taker] as number]
    if (!(amount > 0) || amount > giving || trials <= 0) return
    if (taking === 0 && amount < giving && best.filter((other) => other > 0).length >= maxParts) return
    trials--
    trial[giver] = giving - amount
    trial[taker] = taking + amount
    const moved = value(trial, total)
    if (moved > total) {
      best = trial.slice()
      total = moved
    } else {
      trial[giver] = giving
      trial[taker] = taking
    }
  }
  const moveBetween = (giver: number, taker: number) => {
    move(giver, taker, best[giver] as number)
    move(giver, taker, 1)
    const left = best[giver] as number
    for (let size = 0; size < SIZES && left > 0 && trials > 0; size++) {
      const share = 1 - ((moves++ * GOLDEN) % 1) / 2
      move(giver, taker, Math.ceil((left * share) / RATIO ** size))
    }
  }
  for (let idle = 0; idle < IDLE_ROUNDS && trials > 0; ) {
    const before = total
    for (let giver = 0; giver < best.length; giver++)
      for (let taker = 0; taker < best.length; taker++) if (taker !== giver) moveBetween(giver, taker)
    idle = total > before ? 0 : idle + 1
  }
  return best
}

/** Value of some paths executed in their order: more is better; −∞ when they cannot be executed. */
export type Execute = (paths: readonly Path[], amounts: readonly number[]) => number

/**
 * Values of a request's paths, cached when they are exact quotes. A path that shares no venue with the others does not
 * change their output, so a division is the sum over such paths and over the rest together.
 */
export class PathValues {
  private readonly execute: Execute
  private readonly caches: boolean
  /** By number. */
  readonly paths: Path[] = []
  /** By two paths: whether they share a venue. */
  private readonly meetings: boolean[][] = []
  /** Values of single paths by amount, of several by paths and amounts. */
  private readonly alone: Map<number, number>[] = []
  private readonly together = new Map<string, number>()

  /** @param caches  whether to cache values; not worth it for values computed in doubles */
  constructor(execute: Execute, caches: boolean) {
    this.execute = execute
    this.caches = caches
  }

  /** Index of a path, for `of`; added when new. */
  numberOf(path: Path): number {
    const known = this.paths.findIndex((other) => samePath(other, path))
    if (known >= 0) return known
    const meets = this.paths.map((other) => sharesEdge(other, path))
    for (const [i, row] of this.meetings.entries()) row.push(meets[i] as boolean)
    this.meetings.push([...meets, true])
    this.alone.push(new Map())
    return this.paths.push(path) - 1
  }

  /** Whether two paths share a venue. */
  meets(one: number, other: number): boolean {
    return (this.meetings[one] as boolean[])[other] as boolean
  }

  /** @param amounts  whole units, for each of the paths; a path without an amount is not executed */
  of(paths: readonly number[], amounts: readonly number[]): number {
    if (!this.caches) {
      const members = paths.map((path) => this.paths[path] as Path)
      return this.execute(members, amounts)
    }
    let sum = 0
    const group: number[] = []
    for (let i = 0; i < paths.length; i++) {
      if (!((amounts[i] as number) > 0)) continue
      const row = this.meetings[paths[i] as number] as boolean[]
      let meets = false
      for (let j = 0; j < paths.length && !meets; j++)
        meets = j !== i && (amounts[j] as number) > 0 && (row[paths[j] as number] as boolean)
      if (meets) group.push(i)
      else sum += this.ofOne(paths[i] as number, amounts[i] as number)
    }
    return group.length === 0 ? sum : sum + this.ofGroup(group, paths, amounts)
  }

  private ofOne(path: number, amount: number): number {
    const values = this.alone[path] as Map<number, number>
    let value = values.get(amount)
    if (value === undefined) values.set(amount, (value = this.execute([this.paths[path] as Path], [amount])))
    return value
  }

  private ofGroup(group: readonly number[], paths: readonly number[], amounts: readonly number[]): number {
    const key = group.map((i) => `${paths[i]}:${amounts[i]}`).join(' ')
    let value = this.together.get(key)
    if (value !== undefined) return value
    const members = group.map((i) => this.paths[paths[i] as number] as Path)
    value = this.execute(
      members,
      group.map((i) => amounts[i] as number),
    )
    this.together.set(key, value)
    return value
  }
}

// Starts of a local search where margins mislead: minimum orders, full venues and few units.

/**
 * A knapsack: divides an amount in equal steps. It overrates paths that share a venue.
 *
 * @param outputs   by path: output for 1 to `all` steps, at that index; −∞ where the path cannot take them
 * @param all       steps of the whole amount, at most 255
 * @param maxParts  parts at most
 * @returns the best division for each possible number of parts, as steps by path
 */
export function knapsack(outputs: readonly Float64Array[], all: number, maxParts: number): number[][] {
  const width = all + 1
  const best = new Float64Array((maxParts + 1) * width).fill(Number.NEGATIVE_INFINITY)
  best[0] = 0
  // Steps that each path takes in the best division of so many parts and steps among the paths up to it.
  const taken = outputs.map(() => new Uint8Array((maxParts + 1) * width))
  outputs.forEach((output, path) => {
    // Downwards, so that each path is used once. So many paths have no more parts.
    for (let parts = Math.min(maxParts, path + 1); parts > 0; parts--) {
      for (let steps = all; steps > 0; steps--) {
        const at = parts * width + steps
        // The only part takes all steps, and each part before this path has at least one.
        const [least, most] = parts === 1 ? [steps, steps] : [1, steps - parts + 1]
        for (let own = least; own <= most; own++) {
          const value = (best[at - width - own] as number) + (output[own] as number)
          if (!(value > (best[at] as number))) continue
          best[at] = value
          ;(taken[path] as Uint8Array)[at] = own
        }
      }
    }
  })
  const found: number[][] = []
  for (let parts = 1; parts <= maxParts; parts++) {
    if (!((best[parts * width + all] as number) > 0)) continue
    const division = outputs.map(() => 0)
    let [at, left] = [parts * width + all, all]
    for (let path = outputs.length - 1; path >= 0 && left > 0; path--) {
      const own = (taken[path] as Uint8Array)[at] as number
      if (own === 0) continue
      division[path] = own
      left -= own
      at -= width + own
    }
    found.push(division)
  }
  return found
}

/** A division: some paths by their numbers, in the order of their execution. */
export interface Corner {
  paths: readonly number[]
  /** Whole units, above 0. */
  amounts: readonly number[]
  value: number
}

/** Shares of an amount, from both ends: limits lie far apart. */
const CORNER_SHARES = [1 / 2, ...sharesOf(SHARES)]
/** Equal steps of an amount: full venues hardly ever fit on coarser ones. */
export const STEPS = 100
/** So few units are divided one by one. */
export const SINGLE_UNITS = 2 * STEPS
/** Maximum number of divisions stored for each number of parts: the best pair may not lead to the best three. */
const BEAM = 4

/** Divisions at the limits of venues: a path takes the largest or the least amount that it can, another one the rest. */
export class CornerSearch {
  private readonly paths: readonly number[]
  private readonly amount: number
  private readonly values: PathValues
  /** By path: the least and the largest amounts that it takes alone; null when it takes none. */
  private readonly limits = new Map<number, number[] | null>()

  /**
   * @param paths   numbers of the paths that may be used
   * @param amount  whole units to divide
   */
  constructor(paths: readonly number[], amount: number, values: PathValues) {
    this.paths = paths
    this.amount = amount
    this.values = values
    const steps = Array.from({ length: STEPS }, (_, i) => Math.floor((amount * i) / STEPS))
    const grids = [this.grid([]), this.grid(steps)]
    for (const path of paths) {
      const alone = (x: number) => values.of([path], [x])
      // A path between a minimum and a full venue may take none of the shares. Then each percent is tried.
      const grid = grids.find((some) => some.some((x) => alone(x) > 0))
      this.limits.set(path, grid ? this.edges(alone, grid) : null)
    }
  }

  /** @returns the best divisions for each number of parts from 2 */
  run(maxParts: number): Corner[] {
    let beam = maxParts < 2 ? [] : this.pairs()
    const found = beam.slice()
    for (let parts = 3; parts <= maxParts; parts++) {
      beam = bestOf(beam.flatMap((from) => this.extensions(from)))
      found.push(...beam)
    }
    return found
  }

  /** The best pairs, at shares of the amount and at the limits of both. */
  private pairs(): Corner[] {
    const all: (Corner & { grid: number[] })[] = []
    for (const [i, one] of this.paths.entries()) {
      for (const [j, other] of this.paths.entries()) {
        // The order of two paths counts only where they share a venue.
        const meet = this.values.meets(one, other)
        const [first, last] = [this.limits.get(one), this.limits.get(other)]
        if (i === j || (i > j && !meet) || !first || !(last || meet)) continue
        const grid = this.grid([...first, ...(last?.map((limit) => this.amount - limit) ?? [])])
        const tried = grid.map((x) => this.corner([one, other], [x, this.amount - x]))
        all.push({ ...(bestOf(tried)[0] ?? this.corner([one, other], [0, 0])), grid })
      }
    }
    all.sort((a, b) => b.value - a.value)
    const near = all.slice(0, SHORTLIST).filter(({ value }) => value > 0)
    return bestOf(
      near.flatMap(({ grid, ...best }) => {
        const pair = (x: number) => this.corner(best.paths, [x, this.amount - x])
        return [best, ...this.edges((x) => pair(x).value, grid).map(pair)]
      }),
    )
  }

  /** A division with one path more, first or last, that takes a share of another one's amount or its own limit. */
  private extensions(from: Corner): Corner[] {
    const found: Corner[] = []
    for (const path of this.paths) {
      if (from.paths.includes(path)) continue
      const shares = from.paths.some((other) => this.values.meets(path, other))
      from.amounts.forEach((has, giving) => {
        for (const x of [...CORNER_SHARES.map((share) => Math.floor(has * share)), ...(this.limits.get(path) ?? [])]) {
          if (!(x > 0 && x < has)) continue
          const left = from.amounts.with(giving, has - x)
          const tried = [this.corner([...from.paths, path], [...left, x])]
          if (shares) tried.push(this.corner([path, ...from.paths], [x, ...left]))
          for (const one of tried) if (one.value > from.value) found.push(one)
        }
      })
    }
    return found
  }

  /** Amounts to try, rising, between none and all. */
  private grid(more: readonly number[]): number[] {
    const all = this.amount
    if (all <= SINGLE_UNITS) return Array.from({ length: all - 1 }, (_, i) => i + 1)
    const shares = CORNER_SHARES.flatMap((share) => [Math.floor(all * share), all - Math.floor(all * share)])
    return [...new Set([1, all - 1, ...shares, ...more])].filter((x) => x > 0 && x < all).sort((a, b) => a - b)
  }

  /** The amounts at which a value begins and ends to be possible, between those of a grid and at its ends. */
  private edges(value: (x: number) => number, grid: readonly number[]): number[] {
    const found: number[] = []
    const can = grid.map((x) => value(x) > 0)
    for (let i = 0; i + 1 < grid.length; i++) {
      if (can[i] === can[i + 1]) continue
      let [good, bad] = [grid[i] as number, grid[i + 1] as number]
      if (!can[i]) [good, bad] = [bad, good]
      while (Math.abs(bad - good) > Math.max(1, this.amount * EPSILON)) {
        const middle = Math.floor((good + bad) / 2)
        if (value(middle) > 0) good = middle
        else bad = middle
      }
      found.push(good)
    }
    return found
  }

  private corner(paths: readonly number[], amounts: readonly number[]): Corner {
    return { paths, amounts, value: this.values.of(paths, amounts) }
  }
}

function bestOf(corners: readonly Corner[]): Corner[] {
  const possible = corners.filter(({ value }) => value > 0)
  return possible.sort((a, b) => b.value - a.value).slice(0, BEAM)
}
