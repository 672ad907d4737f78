// On small graphs every path is tried, and every division between two of them in steps of a percent, and between three in
// steps of five: the route is equal, or nearly so.
import t from 'tap'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { compareAll, contend, keepsPromise, type Ratio } from './brute-force.ts'
import { randomMarket } from './random-market.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()

function* contended(books: number, slippage: Ratio, rounds: number) {
  const random = new Random(seed + books)
  for (let round = 0; round < rounds; round++) {
    const of = random.integer(1, 2 ** 31)
    yield { name: String(of), ...contend(randomMarket(of, 4, 6, books), slippage) }
  }
}

t.test(`nearly nothing is better over pools (HEADWATER_SEED=${seed})`, async (t) => {
  const comparison = compareAll(contended(0, { numerator: 0n, denominator: 1n }, LONG ? 2000 : 60))
  t.ok(comparison.found > 40)
  keepsPromise(t, comparison)
})

t.test(`nor over pools and order books (HEADWATER_SEED=${seed})`, async (t) => {
  const comparison = compareAll(contended(2, { numerator: 3n, denominator: 1000n }, LONG ? 1000 : 30))
  t.ok(comparison.found > 20)
  keepsPromise(t, comparison)
})
