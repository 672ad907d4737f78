// Clocks for tests: limits count by hours and days, and a test must not fail when the real hour ends.
import { type Clock, SYSTEM_CLOCK } from '../../cosign/clock.ts'

const DAY = 86_400_000
/** Noon of today (UTC), Unix milliseconds. */
export const NOON = Math.floor(Date.now() / DAY) * DAY + DAY / 2

/** Always noon; timers run in real time. */
export const NOON_CLOCK: Clock = { now: () => NOON, every: SYSTEM_CLOCK.every }

/** A clock that starts at noon and that only the test moves. */
export class TestClock implements Clock {
  private time = NOON
  private readonly works = new Set<{ ms: number; next: number; work: () => void }>()

  now(): number {
    return this.time
  }

  every(ms: number, work: () => void): () => void {
    const entry = { ms, next: this.time + ms, work }
    this.works.add(entry)
    return () => this.works.delete(entry)
  }

  /** Moves the clock and runs all timers that become due. */
  advance(ms: number): void {
    const end = this.time + ms
    for (;;) {
      const due = [...this.works].filter(({ next }) => next <= end).sort((a, b) => a.next - b.next)[0]
      if (due === undefined) break
      this.time = due.next
      due.next += due.ms
      due.work()
    }
    this.time = end
  }
}
