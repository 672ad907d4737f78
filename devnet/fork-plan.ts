// When a live chain forks: fixed by a seed and by time alone, so that the same seed gives the same forks.

import { Random } from './random.ts'

export interface ForkOptions {
  /** Mean seconds from one fork to the next. */
  everySeconds: number
  /** Most blocks that a fork replaces: 4 when absent. Producers may lose their finalizers for as long. */
  deepest?: number
}

/** A span of slots whose blocks are replaced: all from `first` up to, not including, `end`. */
export interface LostBranch {
  first: number
  end: number
  /** Whether the branch that stays leaves the first slot out, as after a producer who missed its turn. */
  leavesOut: boolean
}

const SLOTS_PER_SECOND = 2
const DEEPEST = 4

/** One lost branch in each window of slots. */
export class ForkPlan {
  private readonly seed: string
  private readonly window: number
  private readonly deepest: number

  /** @throws RangeError when forks would follow each other without a pause */
  constructor(seed: string, { everySeconds, deepest = DEEPEST }: ForkOptions) {
    this.seed = seed
    this.window = Math.round(everySeconds * SLOTS_PER_SECOND)
    this.deepest = deepest
    if (!(this.window > deepest + 1)) throw new RangeError(`no forks of ${deepest} blocks every ${everySeconds} s`)
  }

  /** The lost branch of the window that a slot is in. */
  at(slot: number): LostBranch {
    const number = Math.floor(slot / this.window)
    const random = new Random(`${this.seed}/fork ${number}`)
    const length = 1 + random.int(this.deepest)
    const first = number * this.window + random.int(this.window - length)
    return { first, end: first + length, leavesOut: length > 1 && random.next() < 0.5 }
  }

  /** Whether a block of this slot is going to be lost: finalizers do not vote for what it follows. */
  isLost(slot: number): boolean {
    const { first, end } = this.at(slot)
    return slot >= first && slot < end
  }

  /** The branch that ends when the block of this slot is due; null when none does. */
  endingAt(slot: number): LostBranch | null {
    const lost = this.at(slot)
    return slot === lost.end ? lost : null
  }
}
