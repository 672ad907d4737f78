// Bounds the work done for an address before its request is counted: a number of attempts per minute.
import type { Clock } from './clock.ts'

const MINUTE = 60_000

export class Attempts {
  private readonly clock: Pick<Clock, 'now'>
  private readonly limit: number
  private readonly made = new Map<string, number>()
  private minute = 0

  /** @param limit  attempts of one address per minute */
  constructor(clock: Pick<Clock, 'now'>, limit: number) {
    this.clock = clock
    this.limit = limit
  }

  /** Counts an attempt. @returns whether it is within the limit */
  may(address: string): boolean {
    const minute = Math.floor(this.clock.now() / MINUTE)
    if (minute !== this.minute) this.made.clear()
    this.minute = minute
    const count = (this.made.get(address) ?? 0) + 1
    if (count > this.limit) return false
    this.made.set(address, count)
    return true
  }
}
