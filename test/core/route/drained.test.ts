// Amounts far beyond what venues hold: one that takes next to nothing of it may give most of the output.
import t from 'tap'
import type { RoutePool } from '../../../core/route/model.ts'
import { Router } from '../../../core/route/router.ts'
import { Replay } from './replay.ts'

const [A, B] = [
  { id: 'a-contract', decimals: 4 },
  { id: 'b-contract', decimals: 4 },
]

/** A pool at the price 1 with all of its liquidity up to a tick on both sides. */
function pool(id: number, liquidity: bigint, width: number): RoutePool {
  const ends = [
    { id: -width, liquidityNet: liquidity },
    { id: width, liquidityNet: -liquidity },
  ]
  const state = { sqrtPriceX64: 1n << 64n, tick: 0, liquidity, ticks: new Map(ends.map((end) => [end.id, end])) }
  const fees = { fee: 3000, feeProtocol: 0, feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n }
  return { id, active: true, a: A, b: B, tickSpacing: 60, ...state, ...fees }
}

for (const share of [10_000, 50_000, 300_000, 1_500_000]) {
  t.test(`a venue that takes one part in ${share} is used`, async (t) => {
    const router = new Router()
    for (let id = 0; id < 3; id++) router.putPool(pool(id, 1_000_000n, 443_580))
    const amount = 100_000_000_000_000n
    // From tick 60 to tick 0, a pool of liquidity L takes and gives about 0.003 L.
    const small = amount / BigInt(share)
    router.putPool(pool(3, (small * 1000n) / 3n, 60))
    const route = router.exactIn({ input: A.id, output: B.id, amount })
    const found = route?.parts.find(({ hops }) => hops[0]?.pool?.id === 3)
    t.ok(found && Number(found.output) > Number(small) * 0.98, `${found?.output} of about ${small}`)
    if (route) t.strictSame(new Replay().run(route), { spent: amount, received: route.output })
  })
}
