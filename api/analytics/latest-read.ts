// Data that many answers need, read once for each block of the chain.
import type { Changes } from '../live-market/advance.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { BlockMark, MarketState } from '../live-market/model.ts'

/** How data is read, and how it is derived after a new block. */
export interface Reading<T> {
  /** Reads in one snapshot, starting from the last result; null when the chain is not indexed. */
  read(latest: T | null): Promise<T | null>
  /** The data after a new block, derived from the data before it; null when it must be read from the database. */
  follow(latest: T, state: MarketState, changes: Changes): T | null
}

/** The last read data, with its block. */
export class LatestRead<T extends { at: BlockMark }> {
  private readonly reading: Reading<T>
  private latest: T | null = null
  private running: Promise<T | null> | null = null

  constructor(market: LiveMarket, reading: Reading<T>) {
    this.reading = reading
    market.listen((state, changes) => this.follow(state, changes))
  }

  /**
   * The data if it is at the given block, else a fresh read, of whichever block the database is at.
   *
   * @param at  the block that the caller wants
   */
  async of(at: BlockMark): Promise<T | null> {
    if (this.latest?.at.id === at.id) return this.latest
    this.running ??= this.read().finally(() => {
      this.running = null
    })
    return this.running
  }

  private async read(): Promise<T | null> {
    const found = await this.reading.read(this.latest)
    // The market may have advanced during the read.
    if (found === null || this.latest === null || this.latest.at.block <= found.at.block) this.latest = found
    return found
  }

  private follow(state: MarketState, changes: Changes | null): void {
    if (changes === null || changes.forkedAfter !== null) this.latest = null
    else if (this.latest?.at.id === changes.before.id)
      this.latest = this.reading.follow(this.latest, state, changes) ?? this.latest
  }
}

const MINUTE = 60_000

/**
 * Data read once a minute of chain time. During a read, requests get the previous value, unless it is more than a
 * minute old.
 */
export class MinuteRead<T> {
  private readonly read: (time: number) => Promise<T>
  private latest: { time: number; value: T } | null = null
  private running: Promise<T> | null = null

  /** @param read  reads as of a time, Unix milliseconds */
  constructor(read: (time: number) => Promise<T>) {
    this.read = read
  }

  /** @param time  time of the caller's block, Unix milliseconds */
  async of(time: number): Promise<T> {
    const { latest } = this
    if (latest !== null && minuteOf(latest.time) === minuteOf(time)) return latest.value
    this.running ??= this.read(time)
      .then((value) => {
        this.latest = { time, value }
        return value
      })
      .finally(() => {
        this.running = null
      })
    if (latest === null || Math.abs(time - latest.time) > MINUTE) return this.running
    // No caller waits for this read, so its failure is ignored here. Callers that wait get the error.
    this.running.catch(() => {})
    return latest.value
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE)
}
