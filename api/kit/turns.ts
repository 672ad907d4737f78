// Limits how many pieces of work run at a time. The others wait in two queues; urgent work goes first.

/** One turn of this number is for work that is not urgent, so that it never starves. */
const SHARE = 4

export class Turns {
  private readonly atOnce: number
  private readonly queues = { urgent: [] as (() => void)[], other: [] as (() => void)[] }
  private running = 0
  private given = 0

  /** @param atOnce  work that runs at a time, at least 1 */
  constructor(atOnce: number) {
    this.atOnce = atOnce
  }

  get waiting(): number {
    return this.queues.urgent.length + this.queues.other.length
  }

  /** Runs work when a turn is free. */
  async run<T>(work: () => Promise<T>, isUrgent = false): Promise<T> {
    if (this.running < this.atOnce) this.running++
    else await new Promise<void>((resolve) => (isUrgent ? this.queues.urgent : this.queues.other).push(resolve))
    try {
      return await work()
    } finally {
      this.handOn()
    }
  }

  /** Gives the turn to the next one that waits. */
  private handOn(): void {
    const { urgent, other } = this.queues
    const isOthers = ++this.given % SHARE === 0 && other.length > 0
    const next = isOthers ? other.shift() : (urgent.shift() ?? other.shift())
    if (next === undefined) this.running--
    else next()
  }
}
