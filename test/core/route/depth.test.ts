// Levels of depth: routing a level's input keeps to its price, a little more does not.
import t from 'tap'
import { depthOf } from '../../../core/route/depth.ts'
import { Router } from '../../../core/route/router.ts'
import { routePools } from './vectors.ts'

const router = new Router()
for (const pool of routePools()) router.putPool(pool)
const PAIR = { input: 'wax-eosio.token', output: 'usdt-usdt.svc' }

t.test('a level is the largest input at its price, to about one percent', async (t) => {
  const { reference, referenceKind, levels } = depthOf(router, {
    ...PAIR,
    impacts: [0.01, 0.5, 1, 2, 5, 50],
    mid: null,
  })
  t.equal(referenceKind, 'smallTrade')
  t.ok(reference !== null && reference > 0)
  let before = 0n
  for (const { impact, input, output } of levels) {
    if (input === null || output === null) {
      t.equal(output, null)
      continue
    }
    const least = (reference as number) * (1 - impact / 100)
    const route = router.exactIn({ ...PAIR, amount: input })
    t.equal(route?.output, output)
    t.ok(Number(output) / Number(input) >= least, `${impact} percent holds`)
    const more = router.exactIn({ ...PAIR, amount: (input * 102n) / 100n })
    t.ok(more === null || Number(more.output) / Number(more.input) < least, `${impact} percent is the most`)
    t.ok(input >= before, 'inputs do not fall')
    before = input
  }
  t.ok(before > 0n)
})

t.test('a level below the fee is null, and a pair without a route has no reference', async (t) => {
  const small = depthOf(router, { ...PAIR, impacts: [100], mid: null })
  const mid = (small.reference as number) * 1.001
  const { levels, referenceKind, reference } = depthOf(router, { ...PAIR, impacts: [0.001, 5], mid })
  t.equal(referenceKind, 'mid')
  t.equal(reference, mid)
  t.strictSame(levels[0], { impact: 0.001, input: null, output: null })
  t.ok(levels[1]?.input)
  const none = depthOf(router, { input: PAIR.input, output: 'none', impacts: [1], mid: null })
  t.strictSame(none, {
    reference: null,
    referenceKind: 'smallTrade',
    levels: [{ impact: 1, input: null, output: null }],
  })
})
