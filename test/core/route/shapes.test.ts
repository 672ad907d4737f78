// Markets of other shapes: parallel pools, chains, stars and diamonds, nearly empty pools, books with least orders. The
// route is compared with every path, every division between two of them in steps of a percent, and between three in
// steps of five.
import t from 'tap'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { compareAll, contendIn, keepsPromise } from './brute-force.ts'
import { shapedMarket } from './random-shapes.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()
const FOUND = [
  [17, false],
  [31, true],
  [154, true],
  [159, true],
  // Less comes to a venue that is full when another part has taken the best of one before it: only then it fits.
  [106, true],
  [208, true],
  [352, true],
  [355, false],
  [916, false],
  // What is taken from the first of two parts makes more of one that is full: no move between two of them gains.
  [970, false],
  // Two parts share a pool in which single units of the input count.
  [255, false],
  [533, true],
  // Three parts meet in a pool that has little left for so few units.
  [230, false],
  // Few units of tokens on the way: the best division in steps of a percent does not lead furthest.
  [682064133, false],
  // A path takes 10.5 to 12.4 percent of the amount, neither more nor less.
  [890628249, true],
  // A market's minimum and its orders leave a path 57 percent of the amount, or 18, or 9 of 50 units: no share that is
  // tried first.
  [526688918, true],
  [1384587497, true],
  [1949833866, true],
  [2117271851, true],
  [1932361369, true],
  // ... and the path must take the place of another one that shares its first market.
  [557449666, true],
] as const

function* contended(withBooks: boolean, rounds: number) {
  const random = new Random(seed)
  for (let round = 0; round < rounds; round++) {
    const of = random.integer(1, 2 ** 31)
    yield { name: String(of), ...contendIn(shapedMarket(of, withBooks)) }
  }
}

for (const [name, withBooks] of [
  ['pools', false],
  ['pools and order books', true],
] as const) {
  t.test(`nearly nothing is better over ${name} (HEADWATER_SEED=${seed})`, async (t) => {
    const comparison = compareAll(contended(withBooks, LONG ? 500 : 40))
    t.ok(comparison.found > (LONG ? 250 : 15))
    keepsPromise(t, comparison)
  })
}

t.test('markets in which a division on the grid once gave more', async (t) => {
  const all = FOUND.map(([of, withBooks]) => ({
    name: `${of} ${withBooks}`,
    ...contendIn(shapedMarket(of, withBooks)),
  }))
  const { found, worst, markets } = compareAll(all)
  t.equal(found, FOUND.length)
  t.ok(worst <= 10, markets.join(', '))
})
