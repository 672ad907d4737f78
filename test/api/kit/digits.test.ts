// Texts of 8 significant digits, compared with decimal.js.
import { Decimal } from 'decimal.js'
import t from 'tap'
import { nearText, significant, significantNumber } from '../../../api/kit/digits.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const Wide = Decimal.clone({ precision: 200, toExpNeg: -1000, toExpPos: 1000, rounding: Decimal.ROUND_HALF_UP })

t.test('MKT-02 NS-15 numbers that are known', async (t) => {
  const cases: [bigint, bigint, string][] = [
    [0n, 7n, '0'],
    [1n, 1n, '1'],
    [10n, 1n, '10'],
    [1n, 3n, '0.33333333'],
    [2n, 3n, '0.66666667'],
    [12345678n, 10_000_000_000n, '0.0012345678'],
    [123456785n, 1n, '123456790'],
    [123456784n, 1n, '123456780'],
    [999999995n, 10n, '100000000'],
    [999999994n, 10n, '99999999'],
    [9999999999n, 10n ** 20n, '0.0000000001'],
    [15n * 10n ** 30n, 10n, '1500000000000000000000000000000'],
    [10_500n, 1_000n, '10.5'],
  ]
  for (const [numerator, denominator, text] of cases) t.equal(significant({ numerator, denominator }), text)
  for (const [value, text] of [
    [0, '0'],
    [1, '1'],
    [0.1, '0.1'],
    [1e-12, '0.000000000001'],
    [123456789, '123456790'],
    [1e21, '1000000000000000000000'],
    [99999999.96, '100000000'],
  ] as const)
    t.equal(significantNumber(value), text)
})

const seed = seedFromEnvironment()
t.test(`random fractions, seed ${seed}`, async (t) => {
  const random = new Random(seed)
  const wrong: string[] = []
  for (let i = 0; i < 3000; i++) {
    const numerator = random.bigint(1n << BigInt(random.integer(1, 400))) + 1n
    const denominator = random.bigint(1n << BigInt(random.integer(1, 400))) + 1n
    const text = significant({ numerator, denominator })
    const expected = new Wide(numerator.toString()).div(denominator.toString()).toSignificantDigits(8).toString()
    if (text !== expected) wrong.push(`${numerator}/${denominator}: ${text}, not ${expected}`)
  }
  t.same(wrong, [])
})

t.test(`fractions as close as can be to the middle between two texts, seed ${seed}`, async (t) => {
  const random = new Random(seed)
  const wrong: string[] = []
  for (let i = 0; i < 3000; i++) {
    // Halfway between two values of eight digits, plus or minus less than a double's precision.
    const place = random.integer(-30, 30)
    const middle = 2n * random.bigint(90_000_000n) + 20_000_001n
    const scale = 10n ** BigInt(random.integer(0, 40))
    const little = random.pick([-1n, 0n, 1n])
    const numerator = (middle * scale + little) * 10n ** BigInt(Math.max(0, place))
    const denominator = 2n * scale * 10n ** BigInt(Math.max(0, -place))
    const expected = new Wide(numerator.toString()).div(denominator.toString()).toSignificantDigits(8).toString()
    const text = significant({ numerator, denominator })
    if (text !== expected) wrong.push(`${numerator}/${denominator}: ${text}, not ${expected}`)
    // A double with an error in its fifteenth digit.
    const near = (Number(numerator) / Number(denominator)) * (1 + (random.next() - 0.5) * 1e-14)
    const other = nearText(near)
    if (other !== null && other !== expected) wrong.push(`${near}: ${other}, not ${expected}`)
  }
  t.same(wrong, [])
})
