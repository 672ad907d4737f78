// Markets of other shapes: parallel pools, chains, stars and diamonds, nearly empty pools, books with least orders. No
// path, no division between two of them in steps of a percent, and none between three in steps of five gives more.
import t from 'tap'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { contendIn } from './brute-force.ts'
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
] as const

for (const [name, withBooks] of [
  ['pools', false],
  ['pools and order books', true],
] as const) {
  t.test(`nothing is better over ${name} (HEADWATER_SEED=${seed})`, async (t) => {
    const random = new Random(seed)
    const behind: string[] = []
    let [found, most] = [0, 0]
    for (let round = 0; round < (LONG ? 500 : 40); round++) {
      const of = random.integer(1, 2 ** 31)
      const { got, best } = contendIn(shapedMarket(of, withBooks))
      if (best > 0n) found++
      if (got >= best) continue
      behind.push(`market ${of}: ${got} instead of ${best}`)
      if (best - got > 1n) most = Math.max(most, 1 - Number(got) / Number(best))
    }
    const text = `${found} found, ${behind.length} behind, more than a unit by ${most} at most: ${behind}`
    t.ok(found > (LONG ? 250 : 15), text)
    t.ok(behind.length <= 1, text)
    t.ok(most < 0.01, text)
  })
}

t.test('markets in which a division on the grid once gave more', async (t) => {
  for (const [of, withBooks] of FOUND) {
    const { got, best } = contendIn(shapedMarket(of, withBooks))
    t.ok(best > 0n && got >= best, `market ${of}: ${got}, brute force ${best}`)
  }
})
