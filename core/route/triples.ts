// Divisions among three paths of which some meet: what the second and the third one lose where they meet the others is told
// by no sum of what they give alone. All of them are looked at on a coarse grid, but only those are tried that may be worth
// it by what each two of them give together.
import { clearFlows, mostOver, outputAlone, type Path, pour, push, pushExactly } from './path.ts'

/** Shares of the whole: as many units where there are not more. */
const STEPS = 10
const EXACT_STEPS = 20
/** Divisions that are tried, in each order: more where units count, as no plan is near the best there. */
const TRIALS = 300
const EXACT_TRIALS = 3000
/** Units by which what three give may be above half of what each two of them give: each is rounded for itself. */
const ROUNDED = 1.5
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const

export interface TripleDivision {
  paths: Path[]
  /** Whole units that add up to the amount. */
  inputs: number[]
  /** In doubles that are rounded as the contracts do. */
  output: number
}

interface Trial {
  members: readonly [number, number, number]
  shares: readonly [number, number, number]
  /** Hardly more than this comes out. */
  bound: number
}

/**
 * @param kept     what each transfer but the first may spend of the expectation before it
 * @param least    output that they must be above
 * @param isExact  whether all is told to the unit
 * @returns divisions among three paths that meet, each in its best order, the most promising first; no flows are left
 */
export function triples(
  paths: readonly Path[],
  amount: number,
  { kept, least, isExact }: { kept: number; least: number; isExact: boolean },
): TripleDivision[] {
  return new Triples(paths, amount, kept, isExact).run(least)
}

class Triples {
  private readonly paths: readonly Path[]
  private readonly amount: number
  private readonly kept: number
  private readonly isExact: boolean
  private readonly steps: number
  /** For path and share: the most that it gives by itself. */
  private readonly alone: Float64Array[]
  /** For two paths that meet, at their indexes, and their shares: the most that they give; null where they do not meet. */
  private readonly joint: (Float64Array | null)[][]

  constructor(paths: readonly Path[], amount: number, kept: number, isExact: boolean) {
    this.paths = paths
    this.amount = amount
    this.kept = kept
    this.isExact = isExact
    this.steps = Math.min(isExact ? EXACT_STEPS : STEPS, amount)
    this.alone = paths.map((path) =>
      Float64Array.from({ length: this.steps }, (_, share) => (share === 0 ? 0 : this.most(path, this.part(share)))),
    )
    this.joint = paths.map((_, a) => paths.map((_, b) => (a < b && this.meet(a, b) ? this.tableOf(a, b) : null)))
  }

  run(least: number): TripleDivision[] {
    const trials = this.promising(least).sort((x, y) => y.bound - x.bound)
    const found: TripleDivision[] = []
    for (const { members, shares } of trials.slice(0, this.isExact ? EXACT_TRIALS : TRIALS)) {
      let best: TripleDivision | null = null
      for (const order of ORDERS) {
        const paths = order.map((at) => this.paths[members[at]] as Path)
        const inputs = order.map((at) => this.part(shares[at]))
        inputs[2] = this.amount - (inputs[0] as number) - (inputs[1] as number)
        const output = this.together(paths, inputs)
        if (output > (best?.output ?? least)) best = { paths, inputs, output }
      }
      if (best !== null) found.push(best)
    }
    return found.sort((x, y) => y.output - x.output)
  }

  private promising(least: number): Trial[] {
    const { steps } = this
    const count = this.paths.length
    const trials: Trial[] = []
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        for (let c = b + 1; c < count; c++) {
          if (!this.joint[a]?.[b] && !this.joint[a]?.[c] && !this.joint[b]?.[c]) continue
          for (let i = 1; i < steps - 1; i++) {
            for (let j = 1; i + j < steps; j++) {
              const bound = this.boundOf([a, b, c], [i, j, steps - i - j], least)
              if (bound > least) trials.push({ members: [a, b, c], shares: [i, j, steps - i - j], bound })
            }
          }
        }
      }
    }
    return trials
  }

  private boundOf([a, b, c]: Trial['members'], [i, j, k]: Trial['shares'], least: number): number {
    const [x, y, z] = [this.aloneOf(a, i), this.aloneOf(b, j), this.aloneOf(c, k)]
    if (!(x + y + z > least)) return Number.NEGATIVE_INFINITY
    const [xy, xz, yz] = [this.two(a, i, b, j), this.two(a, i, c, k), this.two(b, j, c, k)]
    return Math.min(xy + z, xz + y, yz + x, (xy + xz + yz) / 2 + ROUNDED)
  }

  private two(a: number, i: number, b: number, j: number): number {
    const joint = this.joint[a]?.[b] ?? null
    return joint === null ? this.aloneOf(a, i) + this.aloneOf(b, j) : (joint[i * this.steps + j] as number)
  }

  private aloneOf(path: number, share: number): number {
    return this.alone[path]?.[share] as number
  }

  /** Less than anything where the path takes nothing of it, though others take their share before. */
  private most(path: Path, input: number): number {
    const output = outputAlone(path, input, this.kept, this.isExact)
    if (output > 0) return output
    const most = mostOver(path, input, this.kept)
    return most > 0 ? most : Number.NEGATIVE_INFINITY
  }

  private tableOf(a: number, b: number): Float64Array {
    const { steps } = this
    const [one, other] = [this.paths[a] as Path, this.paths[b] as Path]
    const table = new Float64Array(steps * steps)
    for (let i = 1; i < steps; i++) {
      for (let j = 1; i + j < steps; j++) {
        const inputs = [this.part(i), this.part(j)]
        const turned = inputs.toReversed()
        const output = Math.max(this.together([one, other], inputs), this.together([other, one], turned))
        // What does not fit may do so when a third one has taken the best of a venue before it.
        table[i * steps + j] =
          output > 0 ? output : Math.max(this.poured([one, other], inputs), this.poured([other, one], turned))
      }
    }
    return table
  }

  private part(share: number): number {
    return Math.floor((this.amount * share) / this.steps)
  }

  /** Less than anything when one of them cannot take its input. */
  private together(paths: readonly Path[], inputs: readonly number[]): number {
    const give = this.isExact ? pushExactly : push
    let sum = 0
    for (let i = 0; i < paths.length; i++) sum += give(paths[i] as Path, inputs[i] as number, this.kept)
    for (const path of paths) clearFlows(path)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  /** As far as it fits, and as if nothing were rounded; less than anything when nothing fits. */
  private poured(paths: readonly Path[], inputs: readonly number[]): number {
    let sum = 0
    for (let i = 0; i < paths.length; i++) sum += pour(paths[i] as Path, inputs[i] as number, this.kept)
    for (const path of paths) clearFlows(path)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  private meet(a: number, b: number): boolean {
    return (this.paths[a] as Path).some((edge) => (this.paths[b] as Path).includes(edge))
  }
}
