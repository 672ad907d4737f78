// Steps of the subscribers of one chain: those at the same block share one read, and few reads run at a time.
import type { ChainContext } from '../../chain-context.ts'
import type { Place } from './cursor.ts'
import { readStep, type Step } from './step.ts'

/** Reads at a time, so that the connections of other endpoints remain. */
const MAX_READS = 2

export class FactFeed {
  private readonly context: ChainContext
  private readonly timer: NodeJS.Timeout
  private readonly stopListening: () => void
  private steps = new Map<string, Promise<Step | null>>()
  private next = sign()
  private reading = 0
  private readonly queue: (() => void)[] = []

  /** @param checkMs  time after which the database is asked without a sign of a new block, milliseconds */
  constructor(context: ChainContext, checkMs: number) {
    this.context = context
    this.stopListening = context.market.listen(() => this.wake())
    this.timer = setInterval(() => this.wake(), checkMs)
    this.timer.unref()
  }

  /** Resolves at the next sign of a new block. */
  changed(): Promise<void> {
    return this.next.promise
  }

  /** A step from a block. Calls between two signs of a block share their reads. @throws UnknownCursor */
  read(from: Place | null, wanted: { final: boolean; datasets: readonly string[] }): Promise<Step | null> {
    const key = `${from?.id} ${wanted.final} ${wanted.datasets.join()}`
    let step = this.steps.get(key)
    if (step === undefined) this.steps.set(key, (step = this.inTurn(from, wanted)))
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

  private async inTurn(
    from: Place | null,
    wanted: { final: boolean; datasets: readonly string[] },
  ): Promise<Step | null> {
    if (this.reading >= MAX_READS) await new Promise<void>((resolve) => this.queue.push(resolve))
    this.reading++
    try {
      return await readStep(this.context.pool, this.context.chain, from, wanted)
    } finally {
      this.reading--
      this.queue.shift()?.()
    }
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
