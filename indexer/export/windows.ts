// Divides the blocks of a chain into windows with about equally many rows, so that the server sorts little at a time
// whatever the length of the history. The number of blocks adapts to the rows of the previous window.

/** Target number of rows of a window. */
const TARGET_ROWS = 50_000
const FIRST_SIZE = 2000
const MAX_SIZE = 2 ** 40

export interface BlockWindow {
  /** Inclusive; undefined: from the start. */
  fromBlock: number | undefined
  /** Inclusive; undefined: to the end. */
  toBlock: number | undefined
}

export class BlockWindows {
  private readonly last: number
  private readonly toBlock: number | undefined
  private next: number
  private fromBlock: number | undefined
  private size = FIRST_SIZE

  /**
   * @param first, last  the chain's blocks, which are divided into windows
   * @param fromBlock, toBlock  first and last block to read; undefined: all of the chain's blocks
   */
  constructor(first: number, last: number, { fromBlock, toBlock }: BlockWindow) {
    this.next = Math.max(first, fromBlock ?? first)
    this.last = Math.min(last, toBlock ?? last)
    this.fromBlock = fromBlock
    this.toBlock = toBlock
  }

  /** @param read  reads a window and returns its number of rows */
  async each(read: (window: BlockWindow) => Promise<number>): Promise<void> {
    for (;;) {
      const end = this.next + this.size - 1
      const isLast = end >= this.last
      const rows = await read({ fromBlock: this.fromBlock, toBlock: isLast ? this.toBlock : end })
      if (isLast) return
      this.next = end + 1
      this.fromBlock = this.next
      if (rows > 2 * TARGET_ROWS) this.size = Math.max(1, Math.floor(this.size / 2))
      else if (rows < TARGET_ROWS / 2) this.size = Math.min(MAX_SIZE, this.size * 2)
    }
  }
}
