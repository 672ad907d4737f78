// On small graphs every path is tried, and every division between two of them in steps of a percent, and between three
// in steps of five. Hardly ever does any of that give more than the route, and then by what rounding decides.
import t from 'tap'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { amountOf, type PricedToken, randomMarket } from './random-market.ts'
import { allPaths, type Hop, type Share, State, simulateOne } from './simulate.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()
const STEPS = 100
const THIRDS = 5

type Ratio = { numerator: bigint; denominator: bigint }

/** Output of every path by itself for every share of the amount; null where it cannot be. */
function tables(paths: readonly Hop[][], amount: bigint, slippage: Ratio): (bigint | null)[][] {
  return paths.map((hops) =>
    Array.from({ length: STEPS + 1 }, (_, share) => {
      const part = (amount * BigInt(share)) / BigInt(STEPS)
      return part === 0n ? null : simulateOne(hops, part, new State(), slippage)
    }),
  )
}

function venueOf({ pool, book, input }: Hop): string {
  return pool !== null ? `pool ${pool.id}` : `book ${book?.id} ${input}`
}

/** Both on one state, one after the other. */
function inTurn(shares: readonly Share[], slippage: Ratio): bigint | null {
  const state = new State()
  let sum = 0n
  for (const { hops, amount } of shares) {
    const output = simulateOne(hops, amount, state, slippage)
    if (output === null) return null
    sum += output
  }
  return sum
}

function bruteForce(paths: readonly Hop[][], amount: bigint, slippage: Ratio): bigint {
  const alone = tables(paths, amount, slippage)
  const venues = paths.map((hops) => new Set(hops.map(venueOf)))
  const meets = (a: number, b: number) => [...(venues[a] as Set<string>)].some((venue) => venues[b]?.has(venue))
  const part = (share: number) => (amount * BigInt(share)) / BigInt(STEPS)
  let best = 0n
  const see = (output: bigint | null) => {
    if (output !== null && output > best) best = output
  }
  for (let a = 0; a < paths.length; a++) {
    see(alone[a]?.[STEPS] ?? null)
    for (let b = 0; b < paths.length; b++) {
      const shared = meets(a, b)
      if (a === b || (b < a && !shared)) continue
      for (let share = 1; share < STEPS; share++) {
        const first = { hops: paths[a] as Hop[], amount: part(share) }
        const rest = { hops: paths[b] as Hop[], amount: amount - part(share) }
        if (first.amount === 0n || rest.amount === 0n) continue
        const isWhole = rest.amount === part(STEPS - share)
        if (shared || !isWhole) see(inTurn([first, rest], slippage))
        else {
          const [one, other] = [alone[a]?.[share], alone[b]?.[STEPS - share]]
          if (one && other) see(one + other)
        }
      }
      for (let c = b + 1; c < paths.length && !shared && b > a; c++) {
        if (meets(a, c) || meets(b, c)) continue
        for (let i = THIRDS; i < STEPS; i += THIRDS) {
          for (let j = THIRDS; i + j < STEPS; j += THIRDS) {
            const [x, y, z] = [alone[a]?.[i], alone[b]?.[j], alone[c]?.[STEPS - i - j]]
            if (x && y && z && part(i) + part(j) + part(STEPS - i - j) === amount) see(x + y + z)
          }
        }
      }
    }
  }
  return best
}

function compare(books: number, slippage: Ratio, rounds: number) {
  const random = new Random(seed + books)
  const behind: string[] = []
  let [found, most] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const of = random.integer(1, 2 ** 31)
    const made = randomMarket(of, 4, 6, books)
    const [input, output] = [made.tokens[0] as PricedToken, made.tokens[1] as PricedToken]
    const amount = amountOf(made.random, input)
    const route = made.router.exactIn({ input: input.id, output: output.id, amount, slippage })
    const best = bruteForce(allPaths(made.pools, made.books, input.id, output.id), amount, slippage)
    if (best > 0n) found++
    const got = route?.output ?? 0n
    if (got >= best) continue
    behind.push(`market ${of}: ${got} instead of ${best}`)
    if (best - got > 1n) most = Math.max(most, 1 - Number(got) / Number(best))
  }
  return { found, behind, most }
}

t.test(`nothing is better over pools (HEADWATER_SEED=${seed})`, async (t) => {
  const { found, behind, most } = compare(0, { numerator: 0n, denominator: 1n }, LONG ? 2000 : 60)
  const text = `${found} found, ${behind.length} behind, more than a unit by ${most} at most: ${behind}`
  t.ok(found > 40, text)
  t.ok(behind.length <= found * 0.02, text)
  t.ok(most < 5e-5, text)
})

t.test(`nor over pools and order books (HEADWATER_SEED=${seed})`, async (t) => {
  const { found, behind, most } = compare(2, { numerator: 3n, denominator: 1000n }, LONG ? 1000 : 30)
  const text = `${found} found, ${behind.length} behind, more than a unit by ${most} at most: ${behind}`
  t.ok(found > 20, text)
  t.ok(behind.length <= found * 0.08, text)
  t.ok(most < 5e-4, text)
})
