// When a live chain forks. Depends only on a seed and on time.

import { Random } from './random.ts'

export interface ForkOptions {
  /** Mean seconds between forks. */
  everySeconds: number
  /** Maximum blocks that a fork replaces; default: 4. Producers may lack finalizers during these. */
  deepest?: number
}

/** Slots [first, end) whose blocks are replaced. */
export interface LostBranch {
  first: number
  end: number
  /** Whether the new branch skips the first slot, as after a producer that missed its turn. */
  leavesOut: boolean
}

const SLOTS_PER_SECOND = 2
const DEEPEST = 4

/** One lost branch per window of slots. */
export class ForkPlan {
  private readonly seed: string
  private readonly window: number
  private readonly deepest: number

  /** @throws RangeError when the windows are too short for a fork and a pause */
  constructor(seed: string, { everySeconds, deepest = DEEPEST }: ForkOptions) {
    this.seed = seed
    this.window = Math.round(everySeconds * SLOTS_PER_SECOND)
    this.deepest = deepest
    if (!(this.window > deepest + 1)) throw new RangeError(`no forks of ${deepest} blocks every ${everySeconds} s`)
  }

  /** The lost branch in the window of a slot. */
  at(slot: number): LostBranch {
    const number = Math.floor(slot / this.window)
    const random = new Random(`${this.seed}/fork ${number}`)
    const length = 1 + random.int(this.deepest)
    const first = number * this.window + random.int(this.window - length)
    return { first, end: first + length, leavesOut: length > 1 && random.next() < 0.5 }
  }

  /** Whether the block of this slot will be lost: finalizers do not vote for its parent. */
  isLost(slot: number): boolean {
    const { first, end } = this.at(slot)
    return slot >= first && slot < end
  }

  /** The lost branch whose `end` is this slot; null for none. */
  endingAt(slot: number): LostBranch | null {
    const lost = this.at(slot)
    return slot === lost.end ? lost : null
  }
}
