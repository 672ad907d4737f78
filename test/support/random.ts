// A seeded generator for tests: the same seed gives the same run on every machine.

/** Seed of random tests: HEADWATER_SEED, or 1. */
export function seedFromEnvironment(): number {
  return Number(process.env.HEADWATER_SEED ?? 1)
}

/** Mulberry32: small, fast and good enough for tests. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let z = this.state
    z = Math.imul(z ^ (z >>> 15), z | 1)
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61)
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** A whole number from 0 to `limit` - 1. */
  bigint(limit: bigint): bigint {
    let value = 0n
    for (let bits = 0; 1n << BigInt(bits) < limit; bits += 32)
      value = (value << 32n) | BigInt(this.integer(0, 0xffffffff))
    return value % limit
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(0, from.length - 1)] as T
  }

  hex(bytes: number): string {
    let text = ''
    for (let i = 0; i < bytes; i++) text += this.integer(0, 255).toString(16).padStart(2, '0')
    return text
  }
}
