// Work of which only some runs at once; the rest waits in order. Pure.
export class Queue {
  private readonly limit: number
  private running = 0
  private readonly waiting: (() => void)[] = []

  /** @param limit  of what runs at once */
  constructor(limit: number) {
    this.limit = limit
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // What ends passes its place on, so that nothing that comes later takes it.
    if (this.running < this.limit) this.running++
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.running--
      else next()
    }
  }
}
