// Changes that add up to nothing, gain most and take from none more than it has: gains fall with the changes as a matrix
// tells, and some sums of changes are held at a target by a price: a quadratic programme with bounds, solved by an active set
// and, for what is held, by the method of multipliers.

/** Keeps the system solvable where paths are combinations of one another. */
const RIDGE = 1e-7
/** What would fall below nothing is fixed there, and freed again when it would gain by it: so often. */
const FREED = 6
/** What a gain may be wrong by. */
const SLACK = 1e-9
/** Corrections of the prices: each takes away all but a small share of what the held sums lack. */
const CORRECTIONS = 3

/** A sum of changes that has to be a target. */
interface Held {
  key: number
  row: Float64Array
  stiffness: number
  target: number
}

export class System {
  /** What one more unit gives. */
  readonly gains: Float64Array
  /** What may be taken away at most. */
  readonly own: Float64Array
  /** The changes. */
  readonly delta: Float64Array
  /** What is common to all gains after the changes. */
  level = 0
  private size = 0
  private readonly most: number
  private readonly matrix: Float64Array
  private readonly factor: Float64Array
  private readonly fixed: Uint8Array
  /** Those that are fixed and have something, and those that are free. */
  private readonly taken: Int32Array
  private readonly free: Int32Array
  private readonly x: Float64Array
  private readonly y: Float64Array
  private readonly held: Held[] = []
  private count = 0
  private out = -1

  constructor(most: number) {
    this.most = most
    this.gains = new Float64Array(most)
    this.own = new Float64Array(most)
    this.delta = new Float64Array(most)
    this.matrix = new Float64Array(most * most)
    this.factor = new Float64Array(most * most)
    this.fixed = new Uint8Array(most)
    this.taken = new Int32Array(most)
    this.free = new Int32Array(most)
    this.x = new Float64Array(most)
    this.y = new Float64Array(most)
  }

  /** Forgets everything and begins with so many changes. */
  begin(size: number): void {
    this.size = size
    this.count = 0
    this.matrix.fill(0, 0, size * size)
  }

  /** How fast the gain of one falls as the other grows, added to what is known. */
  add(i: number, j: number, curvature: number): void {
    const { matrix, size } = this
    matrix[i * size + j] = (matrix[i * size + j] as number) + curvature
    if (i !== j) matrix[j * size + i] = (matrix[j * size + i] as number) + curvature
  }

  /** How fast the gain of one falls by itself, as far as is told. */
  curvature(i: number): number {
    return this.matrix[i * this.size + i] as number
  }

  /** Lets the gain of one fall faster by itself. */
  stiffen(i: number, curvature: number): void {
    this.add(i, i, curvature)
  }

  /** After all curvatures, before what is held. */
  settle(): void {
    for (let i = 0; i < this.size; i++) this.add(i, i, this.curvature(i) * RIDGE + 1e-300)
  }

  /** Holds a sum of changes. @returns its weights, to be filled; then tell its `stiffness` */
  hold(key: number): Float64Array {
    const known = this.held[this.count]
    const entry = known ?? { key, row: new Float64Array(this.most), stiffness: 0, target: 0 }
    if (known === undefined) this.held.push(entry)
    this.count++
    entry.key = key
    entry.row.fill(0)
    return entry.row
  }

  /** Tells how stiffly the last one of the held sums is held, and where. */
  stiffness(value: number, target: number): void {
    const { matrix, size } = this
    const entry = this.held[this.count - 1] as Held
    const { row } = entry
    entry.stiffness = value
    entry.target = target
    for (let i = 0; i < size; i++) {
      const own = (row[i] as number) * value
      if (own === 0) continue
      for (let j = 0; j < size; j++) matrix[i * size + j] = (matrix[i * size + j] as number) + own * (row[j] as number)
    }
  }

  /**
   * @param prices  by key, of what is held
   * @param out     what has to give all that it has; -1 for none
   * @returns false when there is no solution
   */
  solve(prices: Float64Array, out = -1): boolean {
    this.fixed.fill(0)
    this.out = out
    if (out >= 0) {
      this.fixed[out] = 1
      this.delta[out] = -(this.own[out] as number)
    }
    for (let freed = 0; ; ) {
      if (!this.solveFree(prices)) return false
      if (this.fix()) continue
      if (freed++ === FREED || !this.release(prices)) return true
    }
  }

  /** Fixes those that would fall below nothing: first the ones that have nothing, then the ones that would fall furthest. */
  private fix(): boolean {
    const { delta, fixed, own, size } = this
    let worst = 0
    for (let i = 0; i < size; i++) {
      const [has, change] = [own[i] as number, delta[i] as number]
      if (fixed[i] === 0 && has + change < 0) worst = Math.max(worst, -change / has)
    }
    if (worst === 0) return false
    for (let i = 0; i < size; i++) {
      const [has, change] = [own[i] as number, delta[i] as number]
      if (fixed[i] === 1 || has + change >= 0 || -change / has < worst / 2) continue
      fixed[i] = 1
      delta[i] = -has
    }
    return true
  }

  /** Frees the one of those that are fixed which would gain most by it. */
  private release(prices: Float64Array): boolean {
    const { count, delta, fixed, gains, held, level, matrix, size } = this
    let [best, most] = [-1, 0]
    for (let i = 0; i < size; i++) {
      if (fixed[i] === 0 || i === this.out) continue
      let gain = (gains[i] as number) * (1 - SLACK) - level
      for (let j = 0; j < size; j++) gain -= (matrix[i * size + j] as number) * (delta[j] as number)
      for (let k = 0; k < count; k++) {
        const { key, row, stiffness } = held[k] as Held
        gain -= ((prices[key] as number) - stiffness * this.sum(held[k] as Held)) * (row[i] as number)
      }
      if (gain > most) [best, most] = [i, gain]
    }
    if (best < 0) return false
    fixed[best] = 0
    return true
  }

  /** Writes the changes of those that are listed. @returns false when they cannot be made to add up to nothing */
  read(active: Int32Array, inputs: readonly number[], changes: Float64Array): boolean {
    let [sum, largest, most] = [0, -1, -1]
    for (let i = 0; i < this.size; i++) {
      const at = active[i] as number
      const has = inputs[at] as number
      const change = Math.max(this.delta[i] as number, -has)
      changes[at] = change
      sum += change
      // Doubles do not add up to nothing: the one that will have most takes what is left.
      if (has + change > most) [largest, most] = [at, has + change]
    }
    changes[largest] = (changes[largest] as number) - sum
    return most - sum >= 0
  }

  /** What the changes gain, to the second order. */
  gain(): number {
    const { delta, gains, matrix, size } = this
    let gain = 0
    for (let i = 0; i < size; i++) {
      let falling = 0
      for (let j = 0; j < size; j++) falling += (matrix[i * size + j] as number) * (delta[j] as number)
      gain += (delta[i] as number) * ((gains[i] as number) - falling / 2)
    }
    // Stiffness costs nothing.
    for (let k = 0; k < this.count; k++) {
      const held = this.held[k] as Held
      gain += (held.stiffness * this.sum(held) ** 2) / 2
    }
    return gain
  }

  private sum({ row }: Held): number {
    let sum = 0
    for (let i = 0; i < this.size; i++) sum += (row[i] as number) * (this.delta[i] as number)
    return sum
  }

  /** Those that are not fixed: falling gains times changes = gains less a common one and the prices. */
  private solveFree(prices: Float64Array): boolean {
    const { count, delta, factor, fixed, free, gains, held, matrix, size, taken, x, y } = this
    let [n, fixedCount, given] = [0, 0, 0]
    for (let i = 0; i < size; i++) {
      const change = delta[i] as number
      if (fixed[i] === 0) free[n++] = i
      else if (change !== 0) {
        taken[fixedCount++] = i
        given += change
      }
    }
    if (n < 1) return false
    for (let i = 0; i < n; i++) {
      const row = (free[i] as number) * size
      for (let j = 0; j <= i; j++) factor[i * n + j] = matrix[row + (free[j] as number)] as number
    }
    if (!decompose(factor, n)) return false
    y.fill(1, 0, n)
    substitute(factor, n, y)
    const sumY = sumOf(y, n)
    for (let k = 0; k < count; k++) prices[held[k]?.key as number] = 0
    for (let turn = 0; ; turn++) {
      for (let i = 0; i < n; i++) {
        const row = free[i] as number
        let right = gains[row] as number
        for (let k = 0; k < fixedCount; k++) {
          const j = taken[k] as number
          right -= (matrix[row * size + j] as number) * (delta[j] as number)
        }
        for (let k = 0; k < count; k++) {
          const { key, row: weights, stiffness, target } = held[k] as Held
          right -= ((prices[key] as number) - stiffness * target) * (weights[row] as number)
        }
        x[i] = right
      }
      substitute(factor, n, x)
      const common = (sumOf(x, n) + given) / sumY
      if (!Number.isFinite(common)) return false
      this.level = common
      for (let i = 0; i < n; i++) delta[free[i] as number] = (x[i] as number) - common * (y[i] as number)
      if (count === 0) return true
      for (let k = 0; k < count; k++) {
        const one = held[k] as Held
        prices[one.key] = (prices[one.key] as number) + one.stiffness * (this.sum(one) - one.target)
      }
      if (turn === CORRECTIONS) return true
    }
  }
}

function sumOf(values: Float64Array, n: number): number {
  let sum = 0
  for (let i = 0; i < n; i++) sum += values[i] as number
  return sum
}

/** Cholesky's factor in place. @returns false when the matrix is not positive definite */
function decompose(factor: Float64Array, n: number): boolean {
  for (let i = 0, row = 0; i < n; i++, row += n) {
    for (let j = 0, other = 0; j <= i; j++, other += n) {
      let sum = factor[row + j] as number
      for (let k = 0; k < j; k++) sum -= (factor[row + k] as number) * (factor[other + k] as number)
      if (i !== j) factor[row + j] = sum / (factor[other + j] as number)
      else if (sum > 0) factor[row + i] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

function substitute(factor: Float64Array, n: number, right: Float64Array): void {
  for (let i = 0, row = 0; i < n; i++, row += n) {
    let sum = right[i] as number
    for (let k = 0; k < i; k++) sum -= (factor[row + k] as number) * (right[k] as number)
    right[i] = sum / (factor[row + i] as number)
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = right[i] as number
    for (let k = i + 1, at = k * n + i; k < n; k++, at += n) sum -= (factor[at] as number) * (right[k] as number)
    right[i] = sum / (factor[i * n + i] as number)
  }
}
