// Random markets for tests and benchmarks of pricing: most pools have the system token, some are several hops from it.
import type { PricePool } from '../../../core/price/price-graph.ts'
import type { Random } from '../../support/random.ts'

export const SYSTEM = { id: 'wax-eosio.token', decimals: 8 }

function nameOf(index: number): string {
  return index === 0 ? SYSTEM.id : `t${index}-contract`
}

/** @param bits  maximum bits of reserves; with few bits many pools are equally wide */
export function randomPool(random: Random, id: number, tokens: number, bits = 62): PricePool {
  const [low, high] = pair(random, tokens)
  const amount = () => 1n + random.bigint(1n << BigInt(random.integer(1, bits)))
  return {
    id,
    active: !random.chance(0.05),
    tokenA: nameOf(low),
    tokenB: nameOf(high),
    decimalsA: decimalsOf(low),
    decimalsB: decimalsOf(high),
    reserveA: random.chance(0.02) ? 0n : amount(),
    reserveB: random.chance(0.02) ? 0n : amount(),
    sqrtPriceX64: 4_295_048_017n + random.bigint(1n << BigInt(random.integer(34, 95))),
    liquidity: random.chance(0.03) ? 0n : amount(),
  }
}

function pair(random: Random, tokens: number): [number, number] {
  const first = random.chance(0.5) ? 0 : random.integer(0, tokens - 1)
  for (;;) {
    const second = random.integer(0, tokens - 1)
    if (second !== first) return random.chance(0.5) ? [first, second] : [second, first]
  }
}

function decimalsOf(index: number): number {
  return index === 0 ? SYSTEM.decimals : index % 10
}

export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i--) {
    const j = random.integer(0, i)
    const kept = result[i] as T
    result[i] = result[j] as T
    result[j] = kept
  }
  return result
}
