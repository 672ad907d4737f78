// Answers of a node, kept for a while. The oldest go first when there are too many.
import type { Clock } from '../clock.ts'

export class Memory<T> {
  private readonly kept = new Map<string, { until: number; value: Promise<T> }>()
  private readonly clock: Clock
  private readonly ms: number
  private readonly most: number

  /** @param ms  how long an answer holds @param most  how many are kept */
  constructor(clock: Clock, ms: number, most: number) {
    this.clock = clock
    this.ms = ms
    this.most = most
  }

  forget(key: string): void {
    this.kept.delete(key)
  }

  /** The answer of a key, asked for when it is not known. A failure is not kept. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key)
    if (known !== undefined && known.until > this.clock.now()) return known.value
    const value = ask()
    this.kept.delete(key)
    this.kept.set(key, { until: this.clock.now() + this.ms, value })
    value.catch(() => {
      if (this.kept.get(key)?.value === value) this.kept.delete(key)
    })
    if (this.kept.size > this.most) this.kept.delete(this.kept.keys().next().value as string)
    return value
  }
}
