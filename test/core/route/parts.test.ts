// Whoever may use more parts is given hardly less for it in random markets of many shapes, and nothing less in those where
// it was much once.
import t from 'tap'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { shapedMarket } from './random-shapes.ts'

const seed = seedFromEnvironment()
const MAX_PARTS = 5
const FOUND = [
  [60, true],
  [71, true],
  [322, false],
  [352, true],
  [365, true],
  [253, false],
] as const

/** By how much more parts give less than fewer do, relatively, at the most. */
function lackOf(of: number, withBooks: boolean): number {
  const { router, input, output, amount, slippage } = shapedMarket(of, withBooks)
  let [lack, best] = [0, 0n]
  for (let maxParts = 1; maxParts <= MAX_PARTS; maxParts++) {
    const got = router.exactIn({ input, output, amount, slippage, maxParts })?.output ?? 0n
    if (got < best) lack = Math.max(lack, 1 - Number(got) / Number(best))
    else best = got
  }
  return lack
}

t.test(`more parts give hardly less (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  const behind: string[] = []
  let most = 0
  const rounds = process.env.HEADWATER_TEST_LONG ? 500 : 60
  for (let round = 0; round < rounds; round++) {
    const of = random.integer(1, 2 ** 31)
    for (const withBooks of [false, true]) {
      const lack = lackOf(of, withBooks)
      if (lack > 1e-4) behind.push(`market ${of}${withBooks ? ' with books' : ''}: ${lack}`)
      most = Math.max(most, lack)
    }
  }
  t.ok(behind.length <= rounds * 0.05, behind.join(', '))
  t.ok(most < 0.01, behind.join(', '))
})

t.test('markets in which more parts once gave less', async (t) => {
  for (const [of, withBooks] of FOUND) t.equal(lackOf(of, withBooks), 0, `market ${of}`)
})
