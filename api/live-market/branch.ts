// Ids of the newest blocks of the market's branch. With them an answer that was read from the database at one of these
// blocks is known to be of the market's history.
import type { BlockMark } from './model.ts'

/** Number and id of a block. */
export type BlockId = Pick<BlockMark, 'block' | 'id'>

/** Blocks that are remembered: seconds of a fast chain, minutes of a slow one. */
const MAX_BLOCKS = 256

export class Branch {
  /** Ids by number, ascending. */
  private readonly ids = new Map<number, string>()

  /** Starts over with a freshly loaded market. */
  restart(at: BlockId): void {
    this.ids.clear()
    this.ids.set(at.block, at.id)
  }

  /**
   * Adds the blocks of a step, and removes the blocks of a replaced branch.
   *
   * @param after   number of the block at which the step begins
   * @param blocks  the newest blocks after it, in any order
   */
  add(after: number, blocks: readonly BlockId[]): void {
    for (const num of [...this.ids.keys()].reverse()) {
      if (num <= after) break
      this.ids.delete(num)
    }
    for (const { block, id } of [...blocks].sort((a, b) => a.block - b.block)) this.ids.set(block, id)
    for (const num of this.ids.keys()) {
      if (this.ids.size <= MAX_BLOCKS) break
      this.ids.delete(num)
    }
  }

  has({ block, id }: BlockId): boolean {
    return this.ids.get(block) === id
  }
}
