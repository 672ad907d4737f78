// A clock that only the test moves.
import type { Clock } from '../../cosign/clock.ts'

export class TestClock implements Clock {
  private time = Date.now()
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
