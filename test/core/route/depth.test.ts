// Levels of depth: routing a level's input keeps to its price, a little more does not.
import t from 'tap'
import { depthOf } from '../../../core/route/depth.ts'
import { Router } from '../../../core/route/router.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { type PricedToken, randomMarket } from './random-market.ts'
import { routePools } from './vectors.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()

const router = new Router()
for (const pool of routePools()) router.putPool(pool)
const PAIR = { input: 'wax-eosio.token', output: 'usdt-usdt.svc' }

t.test('a level is the largest input at its price, to about one percent', async (t) => {
  const { reference, referenceKind, levels } = depthOf(router, {
    ...PAIR,
    impacts: [0.01, 0.5, 1, 2, 5, 50, 100],
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

t.test('levels are those of a bisection with exact quotes', async (t) => {
  for (const [input, output] of [
    [PAIR.input, PAIR.output],
    [PAIR.output, PAIR.input],
    ['eth-eth.svc', PAIR.output],
    ['btc-btc.svc', PAIR.input],
  ] as const) {
    const { reference, levels } = depthOf(router, { input, output, impacts: [1, 3], mid: null })
    for (const { impact, input: found } of levels) {
      const least = (reference as number) * (1 - impact / 100)
      const isGood = (amount: number) => {
        const route = router.exactIn({ input, output, amount: BigInt(Math.floor(amount)) })
        return route !== null && Number(route.output) / Number(route.input) >= least
      }
      let low = 2 ** 20
      while (!isGood(low)) low *= 2
      let high = low * 16
      while (isGood(high)) [low, high] = [high, high * 16]
      while (high / low > 1.001) {
        const middle = Math.sqrt(low * high)
        if (isGood(middle)) low = middle
        else high = middle
      }
      const share = low / Number(found)
      t.ok(share > 0.989 && share < 1.011, `${input} for ${output}: ${impact} percent, ${share} of the bisection's`)
    }
  }
})

/** A level may lie so much higher for an amount than its own search tells: divisions are sought, not tried out. */
const CONSISTENCY = 2e-4

t.test(`in random markets a level holds, and no larger amount does (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  let compared = 0
  for (let round = 0; round < (LONG ? 60 : 6); round++) {
    const { tokens, router: made } = randomMarket(random.integer(1, 2 ** 31), 5, 12, 4)
    const request = { input: (tokens[0] as PricedToken).id, output: (tokens[1] as PricedToken).id }
    const { reference, levels } = depthOf(made, { ...request, impacts: [0.7, 2, 6, 15], mid: null })
    const priceOf = (amount: number) => {
      const route = made.exactIn({ ...request, amount: BigInt(Math.floor(amount)) })
      return route === null ? 0 : Number(route.output) / Number(route.input)
    }
    const inputs = levels.flatMap(({ input }) => (input === null ? [] : [Number(input)]))
    const largest = Math.max(...inputs)
    // Far beyond, shared by all levels of a market: the average price need not fall all the way.
    const far: { amount: number; price: number }[] = []
    for (let amount = Math.max(1000, Math.min(...inputs)) * 1.03; amount < largest * 35; amount *= 1.06)
      far.push({ amount, price: priceOf(amount) })
    for (const { impact, input } of levels) {
      if (reference === null || input === null) continue
      const least = reference * (1 - impact / 100)
      const found = Number(input)
      t.ok(priceOf(found) >= least, `round ${round}: ${impact} percent holds`)
      if (found < 1000) continue
      const near = [1.0101, 1.012, 1.015, 1.02, 1.03].map((factor) => found * factor)
      const beyond = far.filter(({ amount }) => amount > found * 1.0101)
      const better = [...near.map((amount) => ({ amount, price: priceOf(amount) })), ...beyond].filter(
        ({ price }) => price > least * (1 + CONSISTENCY),
      )
      t.same(better, [], `round ${round}: no larger amount holds ${impact} percent, found ${input}`)
      compared++
    }
  }
  t.ok(compared > 5, `${compared} compared`)
})
