// Markets whose order books are nearly used up: divisions that were once found for a neighbouring amount, or by other
// means, and gave more than the route. They are executed here without the router's code.
import t, { type Test } from 'tap'
import { type Market, type PricedToken, randomMarket } from './random-market.ts'
import { type Hop, type Share, simulate } from './simulate.ts'

interface Known {
  market: number
  /** Amount, then venues in their order: p for a pool, b for a book, with its id. */
  parts: readonly string[]
}

function shareOf({ pools, books, tokens }: Market, part: string): Share {
  const [amount, ...venues] = part.split(' ') as [string, ...string[]]
  let at = (tokens[0] as PricedToken).id
  const hops = venues.map((venue): Hop => {
    const id = Number(venue.slice(1))
    const pool = venue.startsWith('p') ? (pools.find((one) => one.id === id) ?? null) : null
    const book = venue.startsWith('b') ? (books.find((one) => one.id === id) ?? null) : null
    const ends = pool !== null ? [pool.a.id, pool.b.id] : [book?.base.id, book?.target.id]
    const input = at
    at = ends.find((end) => end !== input) as string
    return { pool, book, input, output: at }
  })
  return { hops, amount: BigInt(amount) }
}

function compare(test: Test, known: readonly Known[]): void {
  for (const { market, parts } of known) {
    const made = randomMarket(market, 6, 14, 5)
    const shares = parts.map((part) => shareOf(made, part))
    const amount = shares.reduce((sum, share) => sum + share.amount, 0n)
    const [input, output] = [(made.tokens[0] as PricedToken).id, (made.tokens[1] as PricedToken).id]
    const route = made.router.exactIn({ input, output, amount })
    const other = simulate(shares)
    test.ok(other !== null && route !== null, `market ${market}: both can be executed`)
    test.ok((route?.output ?? 0n) >= (other ?? 0n), `market ${market}: ${route?.output}, known ${other}`)
  }
}

t.test('a full book is fed, and its yield led on, over the paths that make most of it', async (t) => {
  compare(t, [
    {
      market: 408967122,
      parts: [
        '180513117078 p12',
        '190447270550 b3 p1 b4',
        '199469125898 b3 p1 p13',
        '282438161940 p10 p1 p13',
        '104592231516 p3 b1 b0',
      ],
    },
    {
      market: 438851292,
      parts: [
        '5833604255 p12 b3',
        '1164129967 p11 p7 p13',
        '1022580755 p0 p3 b3',
        '175618103 p5 b3',
        '297633681 p11 p7 b2',
      ],
    },
  ])
})

t.test('with too many parts, what begins like one and ends like another may be the best of five', async (t) => {
  compare(t, [
    {
      market: 1241892851,
      parts: ['22787072 p2 p7 b2', '60564673 p8 p4 p13', '60736664 p11 p9 p1', '15445214 b4 p13', '2126693 p11 b0'],
    },
  ])
})

t.test('a book that takes a small part of the amount', async (t) => {
  compare(t, [
    {
      market: 1665467683,
      parts: ['1908811348 p0 p3 p2', '1301415672 b3', '89255100 b0 p4 p2', '147321760 b0 p3 p2', '3864871 b4'],
    },
  ])
})

t.test(
  'venues that are full do not hide a path from the search, although they give more for their last unit',
  async (t) => {
    compare(t, [
      {
        market: 1989800290,
        parts: ['3571279 p12 p10 b0', '15861009 p12 p9', '709710 b2 b4 b1', '2029702 p13 p9', '383505 p13 p11 p7'],
      },
    ])
  },
)

t.test('a plan that uses up two books in turn is executed with a little less of them', async (t) => {
  compare(t, [
    {
      market: 48000188,
      parts: ['3860550 p8 b4', '4649277 p10 b3 b4', '1536217 p4 b4', '330541 p1 p7 b1', '3327164 p10 p13 p6'],
    },
  ])
})

t.test('where more is asked of several books than they have', async (t) => {
  compare(t, [
    {
      market: 48000188,
      parts: ['3240393 p8 b4', '4649277 p10 b3 b4', '1388835 p4 b4', '328428 p1 p7 b1', '899274 p1 p9 b4'],
    },
  ])
})
