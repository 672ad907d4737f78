// The input of a depth level keeps to the price of the level; a larger input does not.
import t from 'tap'
import { depthOf } from '../../../core/route/depth.ts'
import { Router } from '../../../core/route/router.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { randomMarket } from './random-market.ts'
import { routePools } from './vectors.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()

const router = new Router()
for (const pool of routePools()) router.putPool(pool)
const PAIR = { input: 'wax-eosio.token', output: 'usdt-usdt.svc' }

/** Average price of an amount, raw units of output for one of input; 0 without a route. Quotes each amount once. */
function pricesOf(from: Router, request: { input: string; output: string }): (amount: number) => number {
  const prices = new Map<number, number>()
  return (amount) => {
    const known = prices.get(amount)
    if (known !== undefined) return known
    const route = from.exactIn({ ...request, amount: BigInt(amount) })
    const price = route === null ? 0 : Number(route.output) / Number(route.input)
    prices.set(amount, price)
    return price
  }
}

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
    const priceOf = pricesOf(router, { input, output })
    for (const { impact, input: found } of levels) {
      const least = (reference as number) * (1 - impact / 100)
      const isGood = (amount: number) => priceOf(Math.floor(amount)) >= least
      let low = 2 ** 20
      while (!isGood(low)) low *= 2
      let high = low * 2
      while (isGood(high)) [low, high] = [high, high * 2]
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

/** The router seeks divisions and does not try them all, so a level may be missed by this share. */
const CONSISTENCY = 2e-4
/** Growth of the larger amounts, and their number for a level. */
const GROWTH = 1.06
const LARGER = 61
/** The levels share these amounts, so each is quoted once for all of them. */
const sizeAt = (index: number) => Math.floor(GROWTH ** index)

t.test(`in random markets a level holds, and no larger amount does (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  let compared = 0
  for (let round = 0; round < (LONG ? 60 : 6); round++) {
    const { tokens, router: made } = randomMarket(random.integer(1, 2 ** 31), 5, 12, 4)
    const [from, to] = tokens
    if (from === undefined || to === undefined) throw new Error('the market has no tokens')
    const request = { input: from.id, output: to.id }
    const { reference, levels } = depthOf(made, { ...request, impacts: [0.7, 2, 6, 15], mid: null })
    const priceOf = pricesOf(made, request)
    for (const { impact, input } of levels) {
      if (reference === null || input === null) continue
      const least = reference * (1 - impact / 100)
      const found = Number(input)
      t.ok(priceOf(found) >= least, `round ${round}: ${impact} percent holds`)
      if (found < 1000) continue
      // Up to 35 times the level, because the average price need not fall all the way.
      const near = [1.0101, 1.012, 1.015, 1.02, 1.03].map((factor) => Math.floor(found * factor))
      const first = Math.ceil(Math.log(found * 1.03) / Math.log(GROWTH))
      const far = Array.from({ length: LARGER }, (_, i) => sizeAt(first + i))
      const better = [...near, ...far].filter((amount) => priceOf(amount) > least * (1 + CONSISTENCY))
      t.same(better, [], `round ${round}: no larger amount holds ${impact} percent, found ${input}`)
      compared++
    }
  }
  t.ok(compared > 5, `${compared} compared`)
})
