// The reader of generated decoders. It also bounds list lengths, nesting and the total number of values.

import { DecodeError } from '../../errors.ts'
import { Reader } from '../reader.ts'
import { DEPTH_LIMIT } from './measure.ts'

/** Values that one decode may read: a base amount, plus an amount for each byte of input. */
const BASE_BUDGET = 100_000
const BUDGET_PER_BYTE = 32
/** Maximum length of a list whose items take no bytes. */
const EMPTY_ITEM_LIMIT = 1024

export class Cursor extends Reader {
  private depth = 0
  private budget = 0

  /** Starts on the bytes from `start` to `end`. */
  reset(data: Uint8Array, start: number, end: number): void {
    this.data = data
    this.pos = start
    this.end = end
    this.depth = 0
    this.budget = BASE_BUDGET + BUDGET_PER_BYTE * (end - start)
  }

  /** Subtracts `cost` values from the budget. */
  spend(cost: number): void {
    this.budget -= cost
    if (this.budget < 0) throw new DecodeError('TOO_COMPLEX', 'the type makes too many values out of too few bytes')
  }

  /** Length of a list whose items take at least `min` bytes and `cost` values each. */
  count(min: number, cost: number): number {
    const count = this.varuint32()
    if (min > 0 ? count * min > this.end - this.pos : count > EMPTY_ITEM_LIMIT) {
      throw new DecodeError('LIST_TOO_LONG', `a list of ${count} items, and ${this.end - this.pos} bytes are left`)
    }
    this.spend(count * cost)
    return count
  }

  /** Enters a value of a recursive type. */
  enter(cost: number): void {
    if (++this.depth > DEPTH_LIMIT) throw new DecodeError('TOO_DEEP', `values nest more than ${DEPTH_LIMIT} deep`)
    this.spend(cost)
  }

  leave(): void {
    this.depth--
  }

  badVariant(index: number): never {
    throw new DecodeError('INVALID_VARIANT', `no alternative ${index} of the variant before offset ${this.pos}`)
  }
}
