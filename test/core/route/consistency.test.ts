// Neighbouring amounts agree with each other: what is found for one of them, scaled to the other or with the difference on
// one of its parts, gives at most a trifle more than what is found for that one itself.
import t from 'tap'
import type { Route } from '../../../core/route/model.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { amountOf, type PricedToken, randomMarket } from './random-market.ts'
import { sharesOf, simulate } from './simulate.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()
/** Of the amount, in thousandths. */
const SIZES = [500, 700, 850, 930, 970, 990, 997, 1000, 1003, 1010, 1030, 1070, 1150, 1300, 1500, 2000]

/** The most that the divisions of other amounts give for this one. */
function fromOthers(routes: readonly (Route | null)[], at: number, amount: bigint): bigint {
  let best = 0n
  routes.forEach((route, i) => {
    if (route === null || i === at) return
    const shares = sharesOf(route)
    const scaled = shares.map((share) => ({ ...share, amount: (share.amount * amount) / route.input }))
    const rest = amount - scaled.reduce((sum, share) => sum + share.amount, 0n)
    for (const [trial, difference] of [
      [scaled, rest],
      [shares, amount - route.input],
    ] as const) {
      for (let k = 0; k < trial.length; k++) {
        const moved = trial.map((share, m) => (m === k ? { ...share, amount: share.amount + difference } : share))
        const output = moved.every((share) => share.amount >= 0n) ? simulate(moved) : null
        if (output !== null && output > best) best = output
      }
    }
  })
  return best
}

function lacks(markets: number, books: number): number[] {
  const random = new Random(seed + books)
  const found: number[] = []
  for (let round = 0; round < markets; round++) {
    const { random: own, tokens, router } = randomMarket(random.integer(1, 2 ** 31), 6, 14, books)
    const [input, output] = [tokens[0] as PricedToken, tokens[1] as PricedToken]
    const whole = amountOf(own, input)
    const amounts = SIZES.map((size) => (whole * BigInt(size)) / 1000n)
    const routes = amounts.map((amount) => router.exactIn({ input: input.id, output: output.id, amount }))
    amounts.forEach((amount, at) => {
      const best = fromOthers(routes, at, amount)
      const got = routes[at]?.output ?? 0n
      // A unit of a few hundred is rounding, not a worse division.
      if (best > 0n) found.push(best - got > 1n ? 1 - Number(got) / Number(best) : 0)
    })
  }
  return found.sort((x, y) => x - y)
}

for (const [name, books] of [
  ['pools', 0],
  ['pools and order books', 5],
] as const) {
  t.test(`over ${name} neighbours agree (HEADWATER_SEED=${seed})`, async (t) => {
    const found = lacks(LONG ? 150 : 6, books)
    const above = (share: number) => found.filter((lack) => lack > share).length
    const text = `${found.length} compared, ${above(0)} behind, ${above(1e-5)} by 1e-5, at most ${found[found.length - 1]}`
    t.ok(found.length > 50, text)
    t.ok((found[found.length - 1] as number) < 0.01, text)
    t.ok(above(0.005) <= found.length * 0.002, text)
    t.ok(above(1e-4) <= found.length * 0.1, text)
  })
}
