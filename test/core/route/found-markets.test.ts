// Markets of random runs in which some division once gave more than the route: on a grid of percents, compared with all
// paths again, or found for a neighbouring amount, executed again.
import t, { type Test } from 'tap'
import { compareAll, contend } from './brute-force.ts'
import { type PricedToken, randomMarket } from './random-market.ts'
import { type Hop, simulate } from './simulate.ts'

const NO_SLIPPAGE = { numerator: 0n, denominator: 1n }
const SLIPPAGE = { numerator: 3n, denominator: 1000n }

function compare(test: Test, markets: readonly number[], books: number): void {
  const slippage = books === 0 ? NO_SLIPPAGE : SLIPPAGE
  const all = markets.map((of) => ({ name: String(of), ...contend(randomMarket(of, 4, 6, books), slippage) }))
  const { found, worst, markets: worse } = compareAll(all)
  test.equal(found, markets.length)
  test.ok(worst <= 10, worse.join(', '))
}

t.test('where every good way ends in a book that is nearly exhausted, a worse one takes the excess', async (t) => {
  compare(t, [1837232194, 613106125, 1772817227, 572542713, 1523633101, 1666776919], 2)
})

t.test('where a venue is shared, each swap is rounded by itself', async (t) => {
  compare(t, [469127484, 200808377, 630588623, 1730765209, 967759037, 1475865348, 615555449, 1047808488], 0)
})

t.test('where a pool is drained, the ends of its bitmap words cost units', async (t) => {
  compare(t, [1181686906, 1742550303, 1937608321, 681611099, 136111465, 1638695178, 1334410598, 1941161755], 0)
})

t.test('where many pieces lie between a division and a better one', async (t) => {
  compare(t, [78586104, 267117743, 1968550693, 1791365490], 0)
})

t.test('where little is gained by another path', async (t) => {
  compare(t, [525641471, 1776365296, 1778510467, 559000307, 1080531572], 0)
})

t.test('where each fill of a book is rounded, and a unit on the way is worth much', async (t) => {
  compare(t, [666572508, 903189270, 2027114034, 1308256288, 1696535899, 1894486698, 1634277246, 1503782353], 2)
  compare(t, [1476620875, 198352235, 766542494, 1257669435, 452956387, 731926488], 2)
})

t.test('where a unit more than curves promise is to be had', async (t) => {
  compare(t, [558905704], 2)
})

t.test('where an intermediate amount is a few units, pairs of paths are tried beside the plan', async (t) => {
  compare(t, [1878720306, 945373584, 1755205560], 0)
})

t.test('where two paths of a few divide best on a grid', async (t) => {
  compare(t, [2050033471], 0)
  compare(t, [1721013962, 1454582880, 2030517454, 1090454048, 2129379318], 2)
})

t.test('where all paths cross a pool that the amount drains, and differ in their next ones', async (t) => {
  compare(t, [1981793068], 0)
})

t.test('where the plan has one part, which rounding makes worse than another path', async (t) => {
  compare(t, [1177404183], 2)
})

t.test('where the same flows fit on fewer paths', async (t) => {
  const { tokens, pools, router } = randomMarket(531553521, 6, 14, 0)
  const [input, output] = [(tokens[0] as PricedToken).id, (tokens[1] as PricedToken).id]
  const over = (ids: readonly number[]): Hop[] => {
    let at = input
    return ids.map((id) => {
      const pool = pools.find((one) => one.id === id) as (typeof pools)[number]
      const from = at
      at = pool.a.id === from ? pool.b.id : pool.a.id
      return { pool, book: null, input: from, output: at }
    })
  }
  const paths = [
    [8, 3, 10],
    [5, 13, 10],
    [11, 1],
    [2, 10],
    [7, 6],
  ].map(over)
  for (const amounts of [
    [5179012n, 3246225n, 872050n, 2649273n, 311286n],
    [5568832n, 3490564n, 937688n, 2848680n, 334716n],
    [7239479n, 4537734n, 1218994n, 3703284n, 435133n],
  ]) {
    const amount = amounts.reduce((sum, part) => sum + part, 0n)
    const known = simulate(paths.map((hops, i) => ({ hops, amount: amounts[i] as bigint })))
    const route = router.exactIn({ input, output, amount })
    t.ok(
      known !== null && Number(route?.output) >= Number(known) * (1 - 1e-4),
      `${amount}: ${route?.output}, known ${known}`,
    )
  }
})
