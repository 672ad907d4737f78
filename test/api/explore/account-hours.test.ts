// Values of an account by hour, from changes of balances and prices.
import t from 'tap'
import { hourValues } from '../../../api/explore/account/hours.ts'
import { MAX_MOVES, MAX_POSITIONS, PositionHours } from '../../../api/explore/account/position-hours.ts'
import { sqrtPriceAtTick } from '../../../core/amm/ticks.ts'

const HOUR = 3600
const price = (token: string, hour: number, system: string, usd: string | null) => ({
  token,
  hour: hour * HOUR,
  system,
  usd,
})
const change = (token: string, hour: number, amount: string, decimals = 4) => ({
  token,
  hour: hour * HOUR,
  amount,
  decimals,
})
const NONE = { positions: [], moves: [], movesFrom: null, pools: [], poolPrices: [] }
const hoursOf = (rows: Partial<Parameters<typeof hourValues>[0]>, known = true) => [
  ...hourValues({
    hours: [10, 11, 12, 14].map((hour) => ({ hour: hour * HOUR, known })),
    changes: [],
    prices: [],
    since: 0,
    ...NONE,
    ...rows,
  }),
]
const values = (rows: Partial<Parameters<typeof hourValues>[0]>, known = true) =>
  hoursOf(rows, known).map(({ value, valueUsd, unvalued }) => [value, valueUsd, unvalued])

/** A range from the price 1 to 1.0001^20000, and its pool. */
const range = { pool: 1, lower: 0, upper: 20_000 }
const pools = [{ pool: 1, tokenA: 'a', decimalsA: 0, tokenB: 'b', decimalsB: 0 }]
const poolPrice = (hour: number, tick: number) => ({ pool: 1, hour: hour * HOUR, price: `${sqrtPriceAtTick(tick)}` })

t.test('a balance holds until its next change', async (t) => {
  const prices = [10, 11, 12, 14].flatMap((hour) => [
    price('a', hour, '0.5', '0.05'),
    price('b', hour, String(hour), `${hour}.5`),
  ])
  // Before the page 2 of a; in hour 11 1.5 of b comes; in hour 13, which had no price of its own, a goes.
  const changes = [change('a', 3, '20000'), change('b', 11, '1500000000000000000', 18), change('a', 13, '0')]
  t.same(values({ changes, prices }), [
    ['1', '0.1', 0],
    ['17.5', '17.35', 0],
    ['19', '18.85', 0],
    ['21', '21.75', 0],
  ])
})

t.test('what is not known is null, never 0', async (t) => {
  const changes = [change('a', 3, '20000'), change('b', 12, '1')]
  const prices = [price('a', 11, '0.5', null), price('a', 12, '0.5', '0.25')]
  t.same(values({ changes, prices }), [
    [null, null, 1],
    ['1', null, 0],
    ['1', '0.5', 1],
    [null, null, 2],
  ])
  t.same(values({}), Array(4).fill(['0', '0', 0]), 'no balances are worth nothing')
  t.same(values({}, false), Array(4).fill([null, null, 0]), 'unless they are not indexed')
})

t.test('every digit counts before the value is rounded', async (t) => {
  const [first] = values({
    changes: [change('a', 1, '9223372036854775807', 0)],
    prices: [price('a', 10, '0.000000000000000000000001', '123456789.987654321')],
  })
  t.same(first, ['0.000009223372', '1138687900000000000000000000', 0])
})

t.test('liquidity is that of now without the changes since', async (t) => {
  const L = 1_000_000_000_000n
  // Of position 7, 2 L are there now: 1 L was added in hour 11, 1 L taken in 14, 3 L added after the page. Position 8 was
  // opened before the page and closed in hour 12.
  const rows = {
    ...NONE,
    pools,
    positions: [{ ...range, id: '7', liquidity: `${4n * L}` }],
    moves: [
      { ...range, id: '7', hour: 11 * HOUR, change: `${L}` },
      { ...range, id: '8', hour: 12 * HOUR, change: `${-L}` },
      { ...range, id: '7', hour: 14 * HOUR, change: `${-L}` },
      { ...range, id: '7', hour: null, change: `${3n * L}` },
    ],
    poolPrices: [poolPrice(3, 0), poolPrice(12, 20_000), poolPrice(13, 0)],
  }
  // 1.0001^10000 is 2.71814592...: below the range all is A, L·(1 - 1/2.718...); above it all is B, L·(2.718... - 1).
  const [A, B] = [632_101_869_963, 1_718_145_926_825]
  const hours = new PositionHours(rows)
  const sums = [10, 11, 12, 14].map((hour) => {
    const held = hours.at(hour * HOUR)
    return [
      held?.length,
      ...(['a', 'b'] as const).map((side) => held?.reduce((sum, one) => sum + Number(one?.amounts[side]), 0)),
    ]
  })
  for (const [i, [count, a, b]] of [
    [2, 2 * A, 0],
    [2, 3 * A, 0],
    [1, 0, 2 * B],
    [1, A, 0],
  ].entries()) {
    const [gotCount, gotA, gotB] = sums[i] as number[]
    t.equal(gotCount, count)
    t.ok(Math.abs(gotA! - a!) < 1e-4 * (1 + a!) && Math.abs(gotB! - b!) < 1e-4 * (1 + b!), `${i}: ${gotA} ${gotB}`)
  }
})

t.test('positions of an unknown price, and of unknown hours', async (t) => {
  const positions = [{ ...range, id: '7', liquidity: '1000000000000' }]
  const changes = [change('a', 3, '5', 0)]
  const prices = [10, 11, 12, 14].map((hour) => price('a', hour, '2', '4'))
  const parts = (rows: Parameters<typeof hoursOf>[0]) =>
    hoursOf({ changes, prices, ...rows }).map((one) => [
      one.value,
      one.balances.value,
      one.positions.value,
      one.unvalued,
    ])
  t.same(
    parts({ positions, pools, poolPrices: [poolPrice(12, 0)] }),
    Array(4).fill(['10', '10', null, 1]),
    'b has no price',
  )
  const both = [...prices, ...[10, 11, 12, 14].map((hour) => price('b', hour, '1', '2'))]
  const priced = parts({ prices: both, positions, pools, poolPrices: [poolPrice(12, -100)] })
  t.same(priced.slice(0, 2), Array(2).fill(['10', '10', null, 1]), 'the pool had no price')
  t.equal(priced[2]![3], 0)
  t.same(
    parts({ prices: both, positions, poolPrices: [poolPrice(12, 0)] }),
    Array(4).fill(['10', '10', null, 1]),
    'no pool',
  )
  const unknown = [null, '10', null, 0]
  t.same(
    parts({ movesFrom: 12 * HOUR, positions: [] }).map(([value]) => value),
    [null, null, '10', '10'],
    'hours that end before the oldest change that is read',
  )
  t.same(
    parts({ moves: [{ ...range, id: '7', hour: null, change: '1' }] }),
    Array(4).fill(unknown),
    'a change is missing',
  )
  const many = Array.from({ length: MAX_POSITIONS + 1 }, (_, i) => ({ ...range, id: `${i}`, liquidity: '1' }))
  t.same(parts({ positions: many }), Array(4).fill(unknown), 'more than are valued')
  t.ok(MAX_MOVES > MAX_POSITIONS)
})
