// Local search: improves a division of an amount over paths by exact integer outputs. Each hop rounds down, so divisions
// with equal marginal prices still differ in output. A move takes an amount from one path and gives it to another, used or
// unused; it is accepted when the output rises.
import { RATIO } from './model.ts'
import { type Path, samePath, sharesEdge } from './path.ts'

/** Maximum number of divisions that are tried. */
const TRIALS = 1200
/** The search ends after this number of consecutive rounds without a gain. */
const IDLE_ROUNDS = 2
/** Number of sizes of moves between two paths. They vary with the move. */
const SIZES = 5
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Value of a division by its amounts: more is better. −∞ when it cannot be executed; may be −∞ when it is less than
 * `least`. The list of amounts is reused after the call.
 */
export type Value = (amounts: readonly number[], least: number) => number

export class LocalSearch {
  private best: readonly number[]
  private total: number
  private trials = TRIALS
  private moves = 0
  private readonly maxParts: number
  private readonly value: Value
  /** The division being tried. One list is reused, because a request tries thousands of divisions. */
  private readonly trial: number[]

  /** @param amounts  by path, whole units; 0 for an unused path */
  constructor(amounts: readonly number[], value: Value, maxParts: number) {
    this.value = value
    this.maxParts = maxParts
    this.best = amounts
    this.trial = amounts.slice()
    this.total = value(amounts, Number.NEGATIVE_INFINITY)
  }

  /** @returns the best division found; the given one when nothing is better */
  run(): readonly number[] {
    for (let idle = 0; idle < IDLE_ROUNDS && this.trials > 0; ) {
      const before = this.total
      for (let from = 0; from < this.best.length; from++)
        for (let to = 0; to < this.best.length; to++) if (to !== from) this.tryMoves(from, to)
      idle = this.total > before ? 0 : idle + 1
    }
    return this.best
  }

  private tryMoves(from: number, to: number): void {
    const has = this.best[from] as number
    if (!(has > 0) || this.trials <= 0) return
    this.move(from, to, has)
    const left = this.best[from] as number
    if (!(left > 0)) return
    this.move(from, to, 1)
    for (let size = 1; size <= SIZES; size++) {
      const share = 1 - ((this.moves++ * GOLDEN) % 1) / 2
      this.move(from, to, Math.ceil((left * share) / RATIO ** (size - 1)))
    }
  }

  private move(from: number, to: number, amount: number): void {
    const [giving, taking] = [this.best[from] as number, this.best[to] as number]
    if (!(amount > 0) || amount > giving || this.trials <= 0) return
    if (taking === 0 && amount < giving && this.parts >= this.maxParts) return
    this.trials--
    const trial = this.copyOfBest()
    trial[from] = giving - amount
    trial[to] = taking + amount
    const total = this.value(trial, this.total)
    if (!(total > this.total)) return
    this.best = trial.slice()
    this.total = total
  }

  private copyOfBest(): number[] {
    const { best, trial } = this
    for (let i = 0; i < best.length; i++) trial[i] = best[i] as number
    return trial
  }

  private get parts(): number {
    return this.best.reduce((count, amount) => (amount > 0 ? count + 1 : count), 0)
  }
}

/** Value of some paths executed in their order: more is better; −∞ when they cannot be executed. */
export type Execute = (paths: readonly Path[], amounts: readonly number[]) => number

/**
 * Caches the values of a request's paths. Paths that share no venue do not change each other's output, so a division is
 * the sum over groups of paths that share venues, and only the values of groups are computed.
 */
export class PathValues {
  private readonly execute: Execute
  private readonly cachesGroups: boolean
  private readonly paths: Path[] = []
  /** By two paths: whether they share a venue. */
  private readonly meetings: boolean[][] = []
  /** Values of single paths by amount, of several by paths and amounts. */
  private readonly alone: Map<number, number>[] = []
  private readonly together = new Map<string, number>()

  /** @param cachesGroups  whether to cache values of several paths; not worth it for values computed in doubles */
  constructor(execute: Execute, cachesGroups: boolean) {
    this.execute = execute
    this.cachesGroups = cachesGroups
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
    let sum = 0
    // Bit i stands for the i-th path: `left` has the paths that are in no group yet.
    let left = 0
    for (let i = 0; i < paths.length; i++) if ((amounts[i] as number) > 0) left |= 1 << i
    while (left !== 0) {
      let group = left & -left
      left ^= group
      for (let added = group; added !== 0 && left !== 0; ) {
        const row = this.meetings[paths[31 - Math.clz32(added & -added)] as number] as boolean[]
        added &= added - 1
        for (let rest = left; rest !== 0; rest &= rest - 1) {
          const bit = rest & -rest
          if (!row[paths[31 - Math.clz32(bit)] as number]) continue
          group |= bit
          added |= bit
          left ^= bit
        }
      }
      sum += this.ofGroup(group, paths, amounts)
    }
    return sum
  }

  private ofGroup(group: number, paths: readonly number[], amounts: readonly number[]): number {
    const first = 31 - Math.clz32(group & -group)
    if ((group & (group - 1)) === 0) {
      const [path, amount] = [paths[first] as number, amounts[first] as number]
      const values = this.alone[path] as Map<number, number>
      let value = values.get(amount)
      if (value === undefined) values.set(amount, (value = this.execute([this.paths[path] as Path], [amount])))
      return value
    }
    const members: Path[] = []
    const parts: number[] = []
    let key = ''
    for (let rest = group; rest !== 0; rest &= rest - 1) {
      const i = 31 - Math.clz32(rest & -rest)
      members.push(this.paths[paths[i] as number] as Path)
      parts.push(amounts[i] as number)
      if (this.cachesGroups) key += `${paths[i]}:${amounts[i]} `
    }
    let value = this.cachesGroups ? this.together.get(key) : undefined
    if (value !== undefined) return value
    value = this.execute(members, parts)
    if (this.cachesGroups) this.together.set(key, value)
    return value
  }
}
