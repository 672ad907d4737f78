// Rows that many answers need, read once for all who ask while the chain is at one block.
import type { BlockMark } from '../market/model.ts'

/** The newest that was read, with the block that it is of. */
export class LatestRead<T extends { at: BlockMark }> {
  private readonly read: (latest: T | null) => Promise<T | null>
  private latest: T | null = null
  private running: Promise<T | null> | null = null

  /** @param read  reads in one snapshot, from what was read last on; null when the chain is not indexed */
  constructor(read: (latest: T | null) => Promise<T | null>) {
    this.read = read
  }

  /**
   * What was read last when it is of a block, else what the database says now, of whichever block that is.
   *
   * @param at  the block that the caller would like
   */
  async of(at: BlockMark): Promise<T | null> {
    if (this.latest?.at.id === at.id) return this.latest
    this.running ??= this.read(this.latest).finally(() => {
      this.running = null
    })
    const found = await this.running
    this.latest = found
    return found
  }
}

const MINUTE = 60_000

/** What is read once a minute of chain time. While it is read anew, answers go on from the minute before. */
export class MinuteRead<T> {
  private readonly read: (time: number) => Promise<T>
  private latest: { minute: number; value: T } | null = null
  private running: Promise<T> | null = null

  /** @param read  reads as of a moment, Unix milliseconds */
  constructor(read: (time: number) => Promise<T>) {
    this.read = read
  }

  /** @param time  of the caller's block, Unix milliseconds */
  async of(time: number): Promise<T> {
    const minute = Math.floor(time / MINUTE)
    const { latest } = this
    if (latest?.minute === minute) return latest.value
    this.running ??= this.read(time)
      .then((value) => {
        this.latest = { minute, value }
        return value
      })
      .finally(() => {
        this.running = null
      })
    if (latest?.minute !== minute - 1) return this.running
    // Whoever waits for a failure hears of it; nobody waits for this one.
    this.running.catch(() => {})
    return latest.value
  }
}
