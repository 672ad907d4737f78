// Pseudo-random numbers from a seed (mulberry32). For simulations, not for secrets.

import { itemAt } from '../core/required.ts'
import { sha256 } from '../core/sha256.ts'

export class Random {
  /** Internal state, 32 bits. Setting it resumes from there. */
  state: number

  /** @param seed  any text; the same text gives the same numbers */
  constructor(seed: string) {
    this.state = new DataView(sha256(Buffer.from(seed)).buffer).getUint32(0)
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer in [0, below). */
  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  /** @throws RangeError for an empty list */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to pick from')
    return itemAt(items, this.int(items.length))
  }
}
