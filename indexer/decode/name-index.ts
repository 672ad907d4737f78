// A set of names, looked up by the two 32-bit halves of a name: a miss builds no string and no bigint.

import { nameToU64 } from '../../core/antelope/name.ts'

export class NameIndex {
  private readonly low: Uint32Array
  private readonly high: Uint32Array
  /** Number of the name in a slot, plus one; 0 in an empty slot. */
  private readonly numbers: Uint32Array
  private readonly shift: number

  /** Numbers the names 0, 1, ... in their order. @throws UserError INVALID_NAME */
  constructor(names: readonly string[]) {
    const bits = Math.max(2, Math.ceil(Math.log2(names.length * 2 + 1)))
    this.shift = 32 - bits
    this.low = new Uint32Array(1 << bits)
    this.high = new Uint32Array(1 << bits)
    this.numbers = new Uint32Array(1 << bits)
    for (const [number, name] of names.entries()) {
      const value = nameToU64(name)
      this.add(Number(value & 0xffffffffn), Number(value >> 32n), number)
    }
  }

  private add(low: number, high: number, number: number): void {
    let slot = this.slotOf(low, high)
    while (this.numbers[slot] !== 0) slot = (slot + 1) & (this.numbers.length - 1)
    this.low[slot] = low
    this.high[slot] = high
    this.numbers[slot] = number + 1
  }

  private slotOf(low: number, high: number): number {
    return Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> this.shift
  }

  /** Number of the name with these halves, or -1. */
  find(low: number, high: number): number {
    let slot = this.slotOf(low, high)
    for (;;) {
      const number = this.numbers[slot] as number
      if (number === 0) return -1
      if (this.low[slot] === low && this.high[slot] === high) return number - 1
      slot = (slot + 1) & (this.numbers.length - 1)
    }
  }
}
