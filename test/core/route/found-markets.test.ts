// Markets of random runs in which some division on a grid of percents once gave more than the route. Each is compared
// with all paths again.
import t, { type Test } from 'tap'
import { contend } from './brute-force.ts'
import { randomMarket } from './random-market.ts'

const NO_SLIPPAGE = { numerator: 0n, denominator: 1n }
const SLIPPAGE = { numerator: 3n, denominator: 1000n }

function compare(test: Test, markets: readonly number[], books: number): void {
  for (const of of markets) {
    const { got, best } = contend(randomMarket(of, 4, 6, books), books === 0 ? NO_SLIPPAGE : SLIPPAGE)
    test.ok(best > 0n && got >= best, `market ${of}: ${got}, brute force ${best}`)
  }
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
