// Recorded single-pool swaps of the contract, compared in every field, and laws of the tick search.
import t from 'tap'
import { nextBoundary } from '../../../core/amm/bitmap.ts'
import { swap } from '../../../core/amm/swap.ts'
import { TickList } from '../../../core/amm/tick-index.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { vectors } from './vectors.ts'

t.test('620 recorded swaps: amounts, price, tick, liquidity, fees, crossings, error texts', async (t) => {
  const { cases } = vectors('amm-swap-cases')
  t.equal(cases.length, 620)
  for (const { n, pool, swap: asked, result, crossed } of cases) {
    const aForB = asked.direction === 'AtoB'
    const state = {
      fee: pool.fee,
      tickSpacing: pool.tickSpacing,
      sqrtPriceX64: BigInt(pool.sqrtPriceX64),
      tick: pool.tick,
      liquidity: BigInt(pool.liquidity),
      feeProtocol: pool.feeProtocol,
      feeGrowthGlobalAX64: 0n,
      feeGrowthGlobalBX64: 0n,
    }
    const ticks = TickList.from(
      pool.ticks.map((tick: { id: number; liquidityNet: string }) => ({
        id: tick.id,
        liquidityNet: BigInt(tick.liquidityNet),
      })),
    )
    const maxIn = asked.maxIn === undefined ? undefined : BigInt(asked.maxIn)
    const done = swap(state, ticks, { aForB, exact: asked.exact, amount: BigInt(asked.amount), maxIn })
    const side = (a: boolean, value: bigint) => (a === aForB ? value.toString() : '0')
    const got = done.ok
      ? {
          ok: true,
          amountIn: done.amountIn.toString(),
          amountOut: done.amountOut.toString(),
          sqrtPriceX64: done.sqrtPriceX64.toString(),
          tick: done.tick,
          liquidity: done.liquidity.toString(),
          feeGrowthGlobalAX64Delta: side(true, done.feeGrowthGlobalX64),
          feeGrowthGlobalBX64Delta: side(false, done.feeGrowthGlobalX64),
          protocolFeeADelta: side(true, done.protocolFee),
          protocolFeeBDelta: side(false, done.protocolFee),
        }
      : done
    t.strictSame(got, result, `case ${n}`)
    if (done.ok) t.equal(done.crossings.length, crossed, `case ${n}: ticks crossed`)
  }
})

t.test('the sorted list and the bitmap end each step at the same tick', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  for (let round = 0; round < 300; round++) {
    const spacing = random.pick([10, 60, 200])
    const words = new Map<number, bigint>()
    const ids = new Set<number>()
    for (let i = random.integer(0, 40); i > 0; i--) {
      const compressed = random.integer(-600, 600)
      ids.add(compressed * spacing)
      words.set(compressed >> 7, (words.get(compressed >> 7) ?? 0n) | (1n << BigInt(compressed & 127)))
    }
    const list = TickList.from([...ids].map((id) => ({ id, liquidityNet: 1n })))
    const tick = random.integer(-700 * spacing, 700 * spacing)
    for (const down of [true, false]) {
      const fromBitmap = nextBoundary(tick, spacing, down, (word) => words.get(word) ?? 0n)
      t.equal(list.next(tick, spacing, down), fromBitmap, `HEADWATER_SEED=${seed} round ${round} down ${down}`)
    }
  }
})
