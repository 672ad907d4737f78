// Random markets: what a route promises is what its transfers give, and nothing is counted twice.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Route } from '../../../core/route/model.ts'
import { Router } from '../../../core/route/router.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { amountOf, type PricedToken, randomBook, randomMarket, randomPool, randomToken } from './random-market.ts'
import { Replay } from './replay.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const RUNS = LONG ? 2_000 : 120
const seed = seedFromEnvironment()
const parameters = (numRuns: number) => ({ seed, numRuns })
const SLIPPAGE = { numerator: 3n, denominator: 1000n }

function checkShape(t: Test, route: Route, name: string): void {
  t.equal(
    route.parts.reduce((sum, part) => sum + part.percent, 0),
    100,
    `${name}: percents add up`,
  )
  t.equal(
    route.parts.reduce((sum, part) => sum + part.input, 0n),
    route.input,
    `${name}: inputs add up`,
  )
  t.equal(
    route.parts.reduce((sum, part) => sum + part.output, 0n),
    route.output,
    `${name}: outputs add up`,
  )
  t.ok(route.parts.length <= 5 && route.parts.every((part) => part.hops.length <= 3))
  for (const { transfers } of route.parts) {
    transfers.forEach((transfer, i) => {
      const before = transfers[i - 1]
      if (before) t.ok(transfer.quantity <= before.minimum, `${name}: a transfer is covered by the one before it`)
      t.ok(transfer.venue === 'amm' || transfer.hops.length === 1, `${name}: a market has a transfer of its own`)
      if (before) t.notOk(before.venue === 'amm' && transfer.venue === 'amm', `${name}: pools share a transfer`)
    })
  }
}

function sharesVenue({ parts }: Route): boolean {
  const used = parts.flatMap(({ hops }) => hops.map(({ pool, book, input }) => `${pool?.id} ${book?.id} ${input}`))
  return new Set(used).size < used.length
}

t.test(`exact inputs execute to the last unit (HEADWATER_SEED=${seed})`, async (t) => {
  let [found, mixed, split, shared] = [0, 0, 0, 0]
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (of) => {
      const { random, tokens, router } = randomMarket(of, 6, 14, 5)
      const [input, output] = [tokens[0] as PricedToken, tokens[1] as PricedToken]
      const amount = amountOf(random, input)
      const request = { input: input.id, output: output.id, amount, slippage: SLIPPAGE }
      const route = router.exactIn(request)
      const single = router.exactIn({ ...request, maxParts: 1 })
      if (route === null) return single === null
      found++
      if (route.parts.length > 1) split++
      if (sharesVenue(route)) shared++
      if (route.parts.some((part) => part.transfers.length > 1)) mixed++
      checkShape(t, route, `market ${of}`)
      t.strictSame(new Replay().run(route), { spent: amount, received: route.output }, `market ${of}`)
      const pools = router.exactIn({ ...request, books: false })
      if (pools) {
        t.ok(pools.parts.every((part) => part.hops.every((hop) => hop.venue === 'amm')))
        // More venues may cost 0.01 percent (docs/api/routes.md).
        t.ok(Number(route.output) >= Number(pools.output) * (1 - 1e-4), `market ${of}: books take nothing away`)
      }
      return single === null || route.output >= single.output
    }),
    parameters(RUNS),
  )
  t.ok(found > RUNS / 2 && split > RUNS / 5, `${found} found, ${split} split`)
  // Two parts over one pool, or one side of a market: the second one finds what the first one has left.
  t.ok(shared > RUNS / 20 && mixed > 0, `${shared} with a venue in two parts, ${mixed} over several venues`)
})

t.test('a path without input that joins again does not make a sixth part', async (t) => {
  const { random, tokens, router } = randomMarket(1936017731, 6, 14, 5)
  const [input, output] = [tokens[0] as PricedToken, tokens[1] as PricedToken]
  const amount = amountOf(random, input)
  const route = router.exactIn({ input: input.id, output: output.id, amount, slippage: SLIPPAGE })
  t.equal(route?.parts.length, 5)
})

t.test(`exact outputs execute to the last unit (HEADWATER_SEED=${seed})`, async (t) => {
  let found = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.boolean(), (of, paths) => {
      const { random, tokens, router } = randomMarket(of, 4, 14, 2)
      const [input, output] = [tokens[0] as PricedToken, tokens[1] as PricedToken]
      const amount = amountOf(random, output)
      const request = { input: input.id, output: output.id, amount, slippage: SLIPPAGE, paths }
      const route = router.exactOut(request)
      const single = router.exactOut({ ...request, maxParts: 1 })
      if (route === null) return single === null
      found++
      checkShape(t, route, `market ${of}`)
      if (!paths) t.ok(route.parts.every((part) => part.hops.length === 1))
      for (const { input, maxSent, transfers } of route.parts) {
        t.equal(maxSent, (input * 1003n + 999n) / 1000n, 'a part may take the slippage more, rounded up')
        t.strictSame([transfers.length, transfers[0]?.quantity], [1, maxSent], 'which is what is sent')
      }
      t.strictSame(new Replay().run(route), { spent: route.input, received: amount }, `market ${of}`)
      return single === null || route.input <= single.input
    }),
    parameters(RUNS),
  )
  t.ok(found > RUNS / 3, `${found} found`)
})

t.test(`more input never gives less (HEADWATER_SEED=${seed})`, async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 2, max: 300 }), (of, percent) => {
      const { random, tokens, router } = randomMarket(of, 6, 14, 4)
      const request = { input: (tokens[0] as PricedToken).id, output: (tokens[1] as PricedToken).id }
      const amount = amountOf(random, tokens[0] as PricedToken)
      const larger = amount + (amount * BigInt(percent)) / 100n
      const routes = (maxParts: number) =>
        [amount, larger].map((input) => router.exactIn({ ...request, amount: input, maxParts, books: maxParts > 1 }))
      const [single, moreSingle] = routes(1)
      if (single && moreSingle && moreSingle.output < single.output) return false
      // The search among divisions is not exhaustive where a trade drains its venues: those are left out.
      const [split, moreSplit] = routes(5)
      if (!split || !moreSplit || moreSplit.priceImpact > 25) return true
      return Number(moreSplit.output) >= Number(split.output) * 0.999
    }),
    parameters(RUNS),
  )
})

t.test('inactive pools, frozen markets and removed ones are not routed, changes are', async (t) => {
  const random = new Random(7)
  const [a, b] = [randomToken(random, 0), randomToken(random, 1)]
  const router = new Router()
  const pool = randomPool(random, 0, a, b, 1e4)
  const book = { ...randomBook(random, 0, a, b, 1e5, 10), minBuy: 0n, minSell: 0n }
  const amount = BigInt(Math.floor(100 / a.worth))
  const request = { input: a.id, output: b.id, amount }
  t.equal(router.exactIn(request), null)
  router.putPool({ ...pool, active: false })
  router.putBook({ ...book, frozen: true })
  t.equal(router.exactIn(request), null)
  router.putBook(book)
  t.equal(router.exactIn(request)?.parts[0]?.hops[0]?.venue, 'orderbook')
  t.equal(router.exactIn({ ...request, books: false }), null)
  router.putPool(pool)
  const before = router.exactIn({ ...request, books: false })
  pool.liquidity *= 3n
  router.putPool(pool)
  const after = router.exactIn({ ...request, books: false })
  t.ok((after?.output ?? 0n) > (before?.output ?? 0n), 'a pool changed in place counts as it is now')
  router.putBook({ ...book, minSell: amount + 1n })
  t.ok(router.exactIn(request)?.parts.every((part) => part.hops.every((hop) => hop.venue === 'amm')))
  router.removePool(0)
  t.equal(router.exactIn(request), null)
  t.equal(router.exactIn({ ...request, amount: 0n }), null)
  t.equal(router.exactIn({ input: a.id, output: a.id, amount }), null)
  t.equal(router.exactIn({ input: a.id, output: 'none', amount }), null)
})

t.test('an exact output whose most to be sent is more than an asset can be is no route', async (t) => {
  // 12·10^9 / 2^64 is the root of the price: one unit of B costs nearly all A that there can be.
  const [liquidity, edge] = [3n << 31n, 443_580]
  const ticks = new Map([
    [-edge, { id: -edge, liquidityNet: liquidity }],
    [edge, { id: edge, liquidityNet: -liquidity }],
  ])
  const price = { sqrtPriceX64: 12_000_000_000n, tick: -423_087, liquidity, ticks }
  const fees = { fee: 3000, feeProtocol: 0, feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n }
  const [a, b] = [randomToken(new Random(1), 1), randomToken(new Random(1), 2)]
  const router = new Router()
  router.putPool({ id: 1, active: true, a, b, tickSpacing: 60, ...price, ...fees })
  const ask = (percent: bigint) =>
    router.exactOut({ input: a.id, output: b.id, amount: 1n, slippage: { numerator: percent, denominator: 100n } })
  const route = ask(1n)
  t.ok(route !== null && route.input > 1n << 61n && route.maxSent < 1n << 62n, String(route?.input))
  t.equal(ask(60n), null)
})
