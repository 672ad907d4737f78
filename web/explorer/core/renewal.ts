// When an answer is requested again: after changes, soon after an answer of an earlier block, after failures, and at
// an interval. Never two requests at once: on a slow line, each would be replaced before its answer came. Pure: the clock
// and the request are passed in.

/** Minimum pause between requests that new blocks ask for, ms. */
const PULSE_MS = 500
/** Minimum pause after a request when the change is of the same block, ms. */
const SAME_BLOCK_MS = 250
/** Tolerance of the pause for blocks that come early, ms. */
const EARLY_MS = 100
/** Pauses after answers that are of an earlier block than the one that a stream has reported, ms; half to one and a half. */
const LATE_MS = [50, 250]
/** The pause after further such answers without an interval, ms. */
const STALE_MS = 2000
/** Pauses after failures, ms. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000]

/** `block` is that of the answer; 0 when it names none. `failed`: it is tried again. `unavailable`: it never comes. */
export type Outcome = { is: 'answered'; block: number } | { is: 'missing' } | { is: 'failed' } | { is: 'unavailable' }

export interface Source {
  /** Milliseconds. */
  now(): number
  /** Calls `work` after a pause, ms. @returns a function that cancels it */
  after(pauseMs: number, work: () => void): () => void
  /** From 0 up to 1. */
  random(): number
  /** Whether the page is in a hidden tab. */
  isHidden(): boolean
  /** Number that increases with each block that the answer may change with. */
  head(): number
  /** Never rejects. @param askedAt  time of the request, ms */
  request(askedAt: number): Promise<Outcome>
}

export interface Pace {
  /** Interval of requests without a change, ms; 0: none. */
  everyMs: number
  /** Minimum pause between the beginnings of two requests, whatever asks for them, ms. */
  minPauseMs: number
  /** Whether the page has a value from elsewhere: then the first request of a hidden page waits too. */
  hasValue: boolean
}

export class Renewal {
  private readonly source: Source
  private readonly pace: Pace
  private armed: { at: number; cancel(): void } | null = null
  private isOver = false
  private isAsking = false
  /** Whether the last request needs no retry: then a hidden page waits. */
  private isSettled: boolean
  /** Whether a request waits until the page is seen. */
  private isHeldBack = false
  /** Whether a fork came during the request. */
  private isReplaced = false
  /** Newest block of the changes that were reported during the request. */
  private wanted = 0
  private failures = 0
  private late = 0
  private askedAt = Number.NEGATIVE_INFINITY
  private askedHead = 0
  /** When a newer block last asked for a request at once. */
  private blockAt = Number.NEGATIVE_INFINITY
  /** Newest known block at which a further change caused a request at once, after an answer of an earlier block. */
  private hurriedHead = 0
  /** Block of the last answer, as far as a fork has not replaced it. */
  private block = 0
  /** The last block before the newest fork, and the last one that may be of the replaced branch. */
  private shared = 0
  private replaced = 0
  private forkAt = Number.NEGATIVE_INFINITY

  constructor(source: Source, pace: Pace) {
    this.source = source
    this.pace = pace
    this.isSettled = pace.hasValue
  }

  start(): void {
    void this.load()
  }

  stop(): void {
    this.isOver = true
    this.disarm()
  }

  /** The page is seen again. */
  seen(): void {
    if (this.isHeldBack) this.arm(this.source.now())
  }

  /**
   * Requests the answer soon, because it may have changed.
   *
   * @param block  block of the change: an answer of this block or a later one has it already; default: any answer lacks it
   */
  invalidate(block = Number.POSITIVE_INFINITY): void {
    if (this.isOver || block <= this.block) return
    if (this.isAsking) {
      this.wanted = Math.max(this.wanted, block)
      return
    }
    // A request for a new block does not wait: the page shows the block within a tenth of a second. While an indexer
    // catches up, blocks come by the dozen: then the pause holds.
    const now = this.source.now()
    const isNewer = this.source.head() > this.askedHead
    const isAtOnce = isNewer && now - this.blockAt >= PULSE_MS - EARLY_MS
    if (isAtOnce) this.blockAt = now
    // The answer was made before its block: another stream says that the server has the block now.
    const isHurried = this.late > 0 && this.hurriedHead !== this.source.head()
    if (isHurried) this.hurriedHead = this.source.head()
    this.arm(isAtOnce || isHurried ? now : this.askedAt + (isNewer ? PULSE_MS : SAME_BLOCK_MS))
  }

  /**
   * A fork has replaced all blocks above one: the answer may have what never was. It is asked for at once.
   *
   * @param newest  block of the replaced branch
   */
  forked(above: number, newest: number): void {
    if (this.isOver) return
    this.shared = above
    this.replaced = Math.max(this.replaced, this.block, this.askedHead, newest)
    this.block = Math.min(this.block, above)
    this.late = 0
    this.isReplaced = this.isAsking
    if (this.isAsking) return
    // Two streams can report one fork.
    const now = this.source.now()
    const isFirst = now - this.forkAt >= PULSE_MS - EARLY_MS
    if (isFirst) this.forkAt = now
    this.arm(isFirst ? now : this.askedAt + PULSE_MS, 0)
  }

  /** Of two requests the earlier one serves both. */
  private arm(at: number, minPauseMs = this.pace.minPauseMs): void {
    const due = Math.max(at, this.askedAt + minPauseMs)
    if (this.isOver || (this.armed !== null && this.armed.at <= due)) return
    this.disarm()
    const cancel = this.source.after(Math.max(0, due - this.source.now()), () => {
      this.armed = null
      void this.load()
    })
    this.armed = { at: due, cancel }
  }

  private disarm(): void {
    this.armed?.cancel()
    this.armed = null
  }

  private async load(): Promise<void> {
    this.isHeldBack = this.source.isHidden() && this.isSettled
    if (this.isHeldBack) return
    this.isAsking = true
    this.isReplaced = false
    this.wanted = 0
    this.askedAt = this.source.now()
    this.askedHead = this.source.head()
    const outcome = await this.source.request(this.askedAt)
    this.isAsking = false
    if (this.isOver) return
    this.isSettled = outcome.is !== 'failed'
    const pause = this.pauseAfter(outcome)
    if (pause > 0) this.arm(this.source.now() + pause)
    if (this.isReplaced) this.arm(this.source.now(), 0)
    else if (this.wanted > 0) this.invalidate(this.wanted)
  }

  private pauseAfter(outcome: Outcome): number {
    const { everyMs } = this.pace
    if (outcome.is === 'failed') return RETRY_MS[Math.min(this.failures++, RETRY_MS.length - 1)] as number
    // It may come: a transaction whose block was replaced, or a block of the next second.
    if (outcome.is === 'missing') return everyMs
    if (outcome.is === 'unavailable') return 0
    this.failures = 0
    // Streams and answers are made apart: an answer can be of the block before, or of the branch before a fork.
    const { block } = outcome
    const isDoubtful = block > this.shared && block <= this.replaced
    if (block > this.replaced) this.replaced = 0
    this.block = isDoubtful ? this.shared : block
    this.late = isDoubtful || (block > 0 && block < this.askedHead) ? this.late + 1 : 0
    const soon = LATE_MS[this.late - 1]
    // Pages that ask together are spread: a server with too much to do answers late.
    if (soon !== undefined) return soon * (0.5 + this.source.random())
    return everyMs || (this.late > 0 ? STALE_MS : 0)
  }
}
