// Steps of the subscribers of one chain: those at the same block share one read.
import { cursorOf, type Place } from './cursor.ts'
import type { Step } from './step.ts'

export interface FeedSource {
  /** @throws UnknownCursor */
  read(from: Place | null, final: boolean): Promise<Step | null>
  /** Calls a listener at each sign of a new block. @returns the function that ends it */
  listen(listener: () => void): () => void
}

export class FactFeed {
  private readonly source: FeedSource
  private readonly timer: NodeJS.Timeout
  private readonly stopListening: () => void
  private steps = new Map<string, Promise<Step | null>>()
  private next = sign()

  /** @param checkMs  time after which the database is asked without a sign of a new block, milliseconds */
  constructor(source: FeedSource, checkMs: number) {
    this.source = source
    this.stopListening = source.listen(() => this.wake())
    this.timer = setInterval(() => this.wake(), checkMs)
    this.timer.unref()
  }

  /** Resolves at the next sign of a new block. */
  changed(): Promise<void> {
    return this.next.promise
  }

  /** A step from a block, with the facts of all datasets. Calls between two signs of a block share their reads. @throws UnknownCursor */
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
    // A read that began before the sign may not have its block: it is not shared with later callers.
    this.steps = new Map()
    const { resolve } = this.next
    this.next = sign()
    resolve()
  }
}

/** A promise with the function that resolves it. */
function sign(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
