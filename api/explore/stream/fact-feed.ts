// Reads the steps of all subscribers of one chain. Subscribers that continue from the same block share one read.
import { cursorOf, type Place } from './cursor.ts'
import type { Step } from './step.ts'

export interface FeedSource {
  /** As `readStep` (step.ts). @throws UnknownCursor */
  read(from: Place | null, final: boolean): Promise<Step | null>
  /** Calls a listener when a block may have been committed. @returns function that removes the listener */
  listen(listener: () => void): () => void
}

export class FactFeed {
  private readonly source: FeedSource
  private readonly timer: NodeJS.Timeout
  private readonly stopListening: () => void
  private steps = new Map<string, Promise<Step | null>>()
  private next = deferred()

  /** @param checkMs  interval at which subscribers read even if no new block was announced, ms */
  constructor(source: FeedSource, checkMs: number) {
    this.source = source
    this.stopListening = source.listen(() => this.wake())
    this.timer = setInterval(() => this.wake(), checkMs)
    this.timer.unref()
  }

  /** Resolves when the next block may have been committed. */
  changed(): Promise<void> {
    return this.next.promise
  }

  /**
   * The step after a block, with the facts of all datasets. Equal calls share one read until the next announcement of a
   * block.
   *
   * @param from   block that the subscriber has; null: the newest
   * @param final  whether to read irreversible blocks only
   * @returns null when the chain has no such block yet
   * @throws UnknownCursor
   */
  read(from: Place | null, final: boolean): Promise<Step | null> {
    // The id alone is not enough: a client may send any number with a known id.
    const key = `${from === null ? '' : cursorOf(from)} ${final}`
    let step = this.steps.get(key)
    if (step === undefined) this.steps.set(key, (step = this.source.read(from, final)))
    return step
  }

  close(): void {
    clearInterval(this.timer)
    this.stopListening()
    this.wake()
  }

  private wake(): void {
    // A read that began before this announcement may lack the block, so later callers do not share it.
    this.steps = new Map()
    const { resolve } = this.next
    this.next = deferred()
    resolve()
  }
}

/** A promise with the function that resolves it. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
