// Rows that many answers need, read once for all who ask while the chain is at one block.
import type { BlockMark } from '../market/model.ts'

/** The newest that was read, with the block that it is of. */
export class LatestRead<T extends { at: BlockMark }> {
  private readonly read: () => Promise<T | null>
  private latest: T | null = null
  private running: Promise<T | null> | null = null

  /** @param read  reads in one snapshot; null when the chain is not indexed */
  constructor(read: () => Promise<T | null>) {
    this.read = read
  }

  /**
   * What was read last when it is of a block, else what the database says now, of whichever block that is.
   *
   * @param at  the block that the caller would like
   */
  async of(at: BlockMark): Promise<T | null> {
    if (this.latest?.at.id === at.id) return this.latest
    this.running ??= this.read().finally(() => {
      this.running = null
    })
    const found = await this.running
    this.latest = found
    return found
  }
}
