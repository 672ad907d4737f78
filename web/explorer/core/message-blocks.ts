// Finds forks in the messages of the market stream: they come in the order of the chain, and a channel gets at most one
// message of a block. Pure.
export class MessageBlocks {
  private newest = 0
  /** Messages of the newest block, by channel. */
  private readonly counts = new Map<string, number>()
  private most = 0

  /** @returns whether a fork has replaced this block, or blocks below and above it */
  isFork(channel: string, block: number): boolean {
    const isLower = block < this.newest
    if (block !== this.newest) {
      this.newest = block
      this.counts.clear()
      this.most = 0
    }
    const count = (this.counts.get(channel) ?? 0) + 1
    this.counts.set(channel, count)
    const isRepeated = count > Math.max(1, this.most)
    this.most = Math.max(this.most, count)
    return isLower || isRepeated
  }

  /** The subscription has ended: another one is answered with the state of the same block. */
  forget(channel: string): void {
    this.counts.delete(channel)
  }
}
