// Divides the blocks of a chain into windows of about as many rows each, so that the server sorts little at a time
// however long the history is. Windows grow where little happens.

/** Rows of a window that are wanted. */
const WANTED = 50_000
const FIRST_SIZE = 2000
const GREATEST_SIZE = 2 ** 40

export interface BlockWindow {
  /** Inclusive; undefined: from the beginning. */
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
   * @param first, last  where the blocks of the chain are: in between, windows are divided
   * @param fromBlock, toBlock  where to begin and to end, if not with the chain
   */
  constructor(first: number, last: number, { fromBlock, toBlock }: BlockWindow) {
    this.next = Math.max(first, fromBlock ?? first)
    this.last = Math.min(last, toBlock ?? last)
    this.fromBlock = fromBlock
    this.toBlock = toBlock
  }

  /** @param read  reads a window; tells how many rows it had */
  async each(read: (window: BlockWindow) => Promise<number>): Promise<void> {
    for (;;) {
      const end = this.next + this.size - 1
      const isLast = end >= this.last
      const rows = await read({ fromBlock: this.fromBlock, toBlock: isLast ? this.toBlock : end })
      if (isLast) return
      this.next = end + 1
      this.fromBlock = this.next
      if (rows > 2 * WANTED) this.size = Math.max(1, Math.floor(this.size / 2))
      else if (rows < WANTED / 2) this.size = Math.min(GREATEST_SIZE, this.size * 2)
    }
  }
}
