// Numbers and times as the explorer shows them.
import t from 'tap'
import { csv } from '../../../web/explorer/core/csv.ts'
import {
  alignedPrices,
  change,
  count,
  grouped,
  inPercent,
  percent,
  price,
  short,
  usd,
  usdPrice,
} from '../../../web/explorer/core/numbers.ts'
import { age, local, utc } from '../../../web/shared/times.ts'

t.test('prices have five significant digits and never an exponent', async (t) => {
  t.same([0.027915440922, '35.822468', 1234567.8, 0, 1, 0.00012345678, 0.000001234, 1.5e-12, -0.0000022].map(price), [
    '0.027915',
    '35.822',
    '1,234,568',
    '0',
    '1',
    '0.00012346',
    '0.0₅1234',
    '0.0₁₁15',
    '-0.0₅22',
  ])
  t.same(
    [0.0000099996, 0.000009999, 0.00009999].map(price),
    ['0.0₄1', '0.0₅9999', '0.0₄9999'],
    'rounded to the next power of ten',
  )
  t.same([null, undefined, '', 'x', Number.NaN].map(price), ['–', '–', '–', '–', '–'])
  t.equal(usdPrice(0.5), '$0.5')
  t.equal(usdPrice(null), '–')
})

t.test('the points of the prices of one column align', async (t) => {
  const shown = alignedPrices(['31.4', '31.592', '9.25'])
  t.same(['31.4', '31.592', '9.25', 31.4961].map(shown), ['31.400', '31.592', '9.250', '31.496'])
  t.equal(shown(null), '–')
  t.same(['0.00001234', '0.5'].map(alignedPrices(['0.00001234', '0.5'])), ['0.0₄1234', '0.5'], 'counted zeros')
  t.equal(alignedPrices([])('31.4'), '31.4')
})

t.test('US dollars, amounts and shares are short', async (t) => {
  t.same([0, 0.004, -0.004, 0.42, 999.994, 1000, 256417.78, 1.23e9, '12'].map(usd), [
    '$0',
    '<$0.01',
    '-<$0.01',
    '$0.42',
    '$999.99',
    '$1.00K',
    '$256K',
    '$1.23B',
    '$12.00',
  ])
  t.same(['4978879.59269674', '12345', '100.123456', '63.03747777', '0.00120', '0.000001', 0].map(short), [
    '4.98M',
    '12.3K',
    '100.12',
    '63.0375',
    '0.0012',
    '0.0₅1',
    '0',
  ])
  t.same([3.5913, -15.1282, 343.4512, 0, 0.001, 12345, null].map(change), [
    '+3.59%',
    '−15.13%',
    '+343.5%',
    '0.00%',
    '0.00%',
    '+12.3K%',
    '–',
  ])
  t.same([0.3, '0.05', 21.0120233, 45678].map(percent), ['0.3%', '0.05%', '21.0%', '45.7K%'])
  t.same([count(1234567), count(null)], ['1,234,567', '–'])
})

t.test('half is rounded away from zero by the decimal digits', async (t) => {
  t.same([1.005, 0.615, 999.994, 999.996].map(usd), ['$1.01', '$0.62', '$999.99', '$1.00K'])
  t.same([-9.815, 1.005, 100.25].map(change), ['−9.82%', '+1.01%', '+100.3%'])
  t.equal(percent(10.25), '10.3%')
  t.equal(short('0.5025'), '0.503')
})

t.test('an exact amount keeps every digit', async (t) => {
  t.same(['4978879.59269674', '-1000', '18446744073709551615', '0.10', 'bob'].map(grouped), [
    '4,978,879.59269674',
    '-1,000',
    '18,446,744,073,709,551,615',
    '0.10',
    'bob',
  ])
  t.same(['1.5e-7', '-2e-9', '1.25e+21', '1e21'].map(grouped), [
    '0.00000015',
    '-0.000000002',
    '1,250,000,000,000,000,000,000',
    '1e21',
  ])
})

t.test('ages, UTC and local times', async (t) => {
  t.same([0, 59.4, 60, 3600, 86_400, 172_800].map(age), ['0 s', '59 s', '1 min', '1 h', '24 h', '2 d'])
  const at = Date.parse('2026-11-26T23:30:00.500Z')
  t.equal(utc(at), '2026-11-26 23:30:00.500 UTC')
  t.equal(utc(at - 500), '2026-11-26 23:30:00 UTC')
  t.equal(local(at, at + 1000, 'UTC'), '23:30:00')
  t.equal(local(at, at + 1000, 'Europe/Athens'), '01:30:00')
  t.equal(local(at, at + 3_600_000, 'UTC'), '2026-11-26 23:30:00', 'on another day with its date')
})

t.test('an export quotes what it must and runs no formula', async (t) => {
  const text = csv(
    ['a', 'b'],
    [
      ['x,"y"', '=HYPERLINK("http://x")'],
      [-5, '-5.25'],
      [null, '+cmd|x'],
      [{ a: 1 }, '\n'],
    ],
  )
  t.equal(text, 'a,b\r\n"x,""y""","\'=HYPERLINK(""http://x"")"\r\n-5,-5.25\r\n,\'+cmd|x\r\n"{""a"":1}","\n"')
})

t.test('a page with thousands of numbers and times makes few formats', async (t) => {
  const made = { numbers: 0, times: 0 }
  const { NumberFormat, DateTimeFormat } = Intl
  const counting = <T extends object>(format: T, key: keyof typeof made) =>
    new Proxy(format, {
      construct(target, values) {
        made[key]++
        return Reflect.construct(target as unknown as new (...all: unknown[]) => object, values)
      },
    })
  Intl.NumberFormat = counting(NumberFormat, 'numbers')
  Intl.DateTimeFormat = counting(DateTimeFormat, 'times')
  t.teardown(() => Object.assign(Intl, { NumberFormat, DateTimeFormat }))
  for (let i = 1; i <= 1000; i++) {
    for (const format of [price, short, percent]) format(i ** 3 / 1e4)
    local(i * 1e9, 0, 'UTC')
  }
  t.ok(made.numbers <= 10, `${made.numbers} formats of numbers`)
  t.ok(made.times <= 2, `${made.times} formats of times`)
})

t.test('a part of one is percent without a rounded digit', async (t) => {
  t.same(['0.12345678', '1', '0.0012', '0', '1.005'].map(inPercent), ['12.345678', '100', '0.12', '0', '100.5'])
})
