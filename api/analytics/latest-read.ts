// Rows that many answers need, read once for all who ask while the chain is at one block.
import type { Changes } from '../market/advance.ts'
import type { LiveMarket } from '../market/live-market.ts'
import type { BlockMark, MarketState } from '../market/model.ts'

/** What is read, and how it follows from a step of the market. */
export interface Reading<T> {
  /** Reads in one snapshot, from what was read last on; null when the chain is not indexed. */
  read(latest: T | null): Promise<T | null>
  /** What there is after a step from what there was before it; null when that has to be read. */
  follow(latest: T, state: MarketState, changes: Changes): T | null
}

/** The newest that was read, with the block that it is of. */
export class LatestRead<T extends { at: BlockMark }> {
  private readonly reading: Reading<T>
  private latest: T | null = null
  private running: Promise<T | null> | null = null

  constructor(market: LiveMarket, reading: Reading<T>) {
    this.reading = reading
    market.listen((state, changes) => this.follow(state, changes))
  }

  /**
   * What there is when it is of a block, else what the database says now, of whichever block that is.
   *
   * @param at  the block that the caller would like
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
    // The market may have gone further meanwhile.
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
 * What is read once a minute of chain time. While it is read anew, answers go on from what is there, unless that is more
 * than a minute old.
 */
export class MinuteRead<T> {
  private readonly read: (time: number) => Promise<T>
  private latest: { time: number; value: T } | null = null
  private running: Promise<T> | null = null

  /** @param read  reads as of a moment, Unix milliseconds */
  constructor(read: (time: number) => Promise<T>) {
    this.read = read
  }

  /** @param time  of the caller's block, Unix milliseconds */
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
    // Whoever waits for a failure hears of it; nobody waits for this one.
    this.running.catch(() => {})
    return latest.value
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE)
}
