// The last units of a division. Each hop rounds down, so amounts that the margins do not distinguish give different outputs.
// Amounts move between two paths, and to paths that are not used, as long as that gives more.
import { type Path, sharesEdge } from './path.ts'

/** Rounds without a gain that end the search. */
const IDLE_ROUNDS = 2
/** Sizes of moves between two paths, about quarters of each other; other ones in each round. */
const SIZES = 5
const GOLDEN = (Math.sqrt(5) - 1) / 2
/** Units by which values in doubles may be wrong: divisions so near the best one are returned as well. */
const DOUBT = 1.5

/** Value of some paths for their amounts, executed in their order: more is better; −∞ when they cannot be executed. */
export type Value = (members: readonly number[], amounts: readonly number[]) => number

export interface LocalSearchOptions {
  maxParts: number
  /** Divisions that may be tried. */
  trials: number
  /** Divisions to return. */
  limit: number
}

/**
 * @param paths    those of the division, then others that may join
 * @param amounts  by path, whole units
 * @returns the best divisions found, the best first; the given one when nothing is better
 */
export function localSearch(
  paths: readonly Path[],
  amounts: readonly number[],
  value: Value,
  options: LocalSearchOptions,
): number[][] {
  return new LocalSearch(paths, amounts, value, options).run()
}

class LocalSearch {
  private best: number[]
  private total: number
  private trials: number
  private readonly maxParts: number
  private readonly limit: number
  private readonly value: Value
  /** Paths with common edges: the value of a group depends on its own amounts alone. */
  private readonly groups: number[][]
  private readonly groupOf: number[]
  private readonly values: number[]
  private readonly near: { amounts: number[]; total: number }[] = []

  constructor(paths: readonly Path[], amounts: readonly number[], value: Value, options: LocalSearchOptions) {
    this.value = value
    this.trials = options.trials
    this.maxParts = options.maxParts
    this.limit = options.limit
    this.best = amounts.slice()
    this.groupOf = groupsOf(paths)
    this.groups = paths.map((_, group) => paths.flatMap((_, i) => (this.groupOf[i] === group ? [i] : [])))
    this.values = this.groups.map((members) => this.valueOf(members, this.best))
    this.total = this.values.reduce((sum, one) => sum + one, 0)
  }

  run(): number[][] {
    for (let round = 0, idle = 0; idle < IDLE_ROUNDS && this.trials > 0; round++) {
      const before = this.total
      for (let from = 0; from < this.best.length; from++)
        for (let to = 0; to < this.best.length; to++) if (to !== from) this.tryMoves(from, to, round)
      idle = this.total > before ? 0 : idle + 1
    }
    const others = this.near.filter(({ total }) => total >= this.total - DOUBT).sort((x, y) => y.total - x.total)
    return [this.best, ...others.map(({ amounts }) => amounts).filter((amounts) => amounts !== this.best)].slice(
      0,
      this.limit,
    )
  }

  private tryMoves(from: number, to: number, round: number): void {
    const has = this.best[from] as number
    if (!(has > 0) || this.trials <= 0) return
    this.move(from, to, has)
    const left = this.best[from] as number
    if (!(left > 0)) return
    // Outputs of few units go up in steps: the largest moves without an effect on one of the two, and the next unit.
    const [free, room] = [this.unchanged(from, -1, left - 1), this.unchanged(to, 1, left)]
    for (const amount of [free, free + 1, room, room + 1]) this.move(from, to, amount)
    for (let size = 1; size <= SIZES; size++) {
      const share = 1 - (((from + to * SIZES + round * 7 + size) * GOLDEN) % 1) / 2
      this.move(from, to, Math.ceil((left * share) / 4 ** (size - 1)))
    }
  }

  /**
   * The largest change of an amount, up or down, that does not change the value of its group; for an unused path the
   * largest one that does not make the value better.
   */
  private unchanged(at: number, sign: 1 | -1, most: number): number {
    const amount = this.best[at] as number
    const members = this.groups[this.groupOf[at] as number] as number[]
    const value = this.values[this.groupOf[at] as number] as number
    const isSame = (change: number) => {
      this.trials--
      const changed = this.valueOf(members, this.best.with(at, amount + sign * change))
      return amount === 0 ? !(changed > value) : changed === value
    }
    if (this.trials <= 0 || !isSame(1) || (amount === 0 && isSame(most))) return 0
    let [low, high] = [1, 2]
    while (high < most && isSame(high)) [low, high] = [high, high * 2]
    high = Math.min(high, most)
    while (high - low > 1 && this.trials > 0) {
      const middle = Math.floor((low + high) / 2)
      if (middle <= low || middle >= high) break
      if (isSame(middle)) low = middle
      else high = middle
    }
    return low
  }

  private move(from: number, to: number, amount: number): void {
    const [giving, taking] = [this.best[from] as number, this.best[to] as number]
    if (!(amount > 0) || amount > giving || this.trials <= 0) return
    if (taking === 0 && amount < giving && this.parts >= this.maxParts) return
    this.trials--
    const amounts = this.best.with(from, giving - amount).with(to, taking + amount)
    const [one, other] = [this.groupOf[from] as number, this.groupOf[to] as number]
    const less = this.valueOf(this.groups[one] as number[], amounts)
    const more = one === other ? 0 : this.valueOf(this.groups[other] as number[], amounts)
    const was = (this.values[one] as number) + (one === other ? 0 : (this.values[other] as number))
    const total = this.total - was + less + more
    if (total > this.total - DOUBT) this.near.push({ amounts, total })
    if (!(total > this.total)) return
    this.best = amounts
    this.total = total
    this.values[one] = less
    if (one !== other) this.values[other] = more
  }

  private get parts(): number {
    return this.best.reduce((count, amount) => (amount > 0 ? count + 1 : count), 0)
  }

  private valueOf(members: readonly number[], amounts: readonly number[]): number {
    const used = members.filter((i) => (amounts[i] as number) > 0)
    return used.length === 0 ? 0 : this.value(used, amounts)
  }
}

/** For each path the first one with which it is connected by common edges. */
function groupsOf(paths: readonly Path[]): number[] {
  const groups = paths.map((_, i) => i)
  paths.forEach((path, i) => {
    for (let j = 0; j < i; j++) {
      const [own, other] = [groups[i] as number, groups[j] as number]
      if (own === other || !sharesEdge(path, paths[j] as Path)) continue
      for (let k = 0; k <= i; k++) if (groups[k] === Math.max(own, other)) groups[k] = Math.min(own, other)
    }
  })
  return groups
}
