// Values of an account by hour, from changes of balances and prices.
import t from 'tap'
import { hourValues } from '../../../api/explore/account/hours.ts'

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
const values = (rows: Partial<Parameters<typeof hourValues>[0]>, known = true) =>
  hourValues({
    hours: [10, 11, 12, 14].map((hour) => ({ hour: hour * HOUR, known })),
    changes: [],
    prices: [],
    since: 0,
    ...rows,
  }).map(({ value, valueUsd, unvalued }) => [value, valueUsd, unvalued])

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
