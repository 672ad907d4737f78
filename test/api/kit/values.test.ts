// Prices and values as texts, compared with decimal.js. Most are computed with doubles; every text equals the exact one.
import { Decimal } from 'decimal.js'
import t from 'tap'
import { midText, priceOf, worthOfBoth, worthOfRaw } from '../../../api/kit/values.ts'
import type { MarketPrices } from '../../../api/live-market/pricing.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const Wide = Decimal.clone({ precision: 200, toExpNeg: -1000, toExpPos: 1000, rounding: Decimal.ROUND_HALF_UP })
const big = (value: bigint) => new Wide(value.toString())
const eight = (value: Decimal) => value.toSignificantDigits(8).toString()
const ten = (power: number) => new Wide(10).pow(power)
const RATE_ONE = new Wide(2).pow(192)

const seed = seedFromEnvironment()
t.test(`random prices, seed ${seed}`, async (t) => {
  const random = new Random(seed)
  const wrong: string[] = []
  const same = (what: string, text: string | null, expected: Decimal) => {
    if (text !== eight(expected)) wrong.push(`${what}: ${text}, not ${eight(expected)}`)
  }
  for (let i = 0; i < 2000; i++) {
    const systemDecimals = random.pick([4, 8])
    const usd = random.bigint(10n ** BigInt(random.integer(1, 20))) + 1n
    const token = () => ({
      decimals: random.integer(0, 18),
      rate: random.bigint(1n << BigInt(random.integer(120, 250))) + 1n,
    })
    const [a, b] = [token(), token()]
    const byToken = new Map([
      ['a', a],
      ['b', b],
    ])
    const prices = { byToken, usd, systemToken: { decimals: systemDecimals } } as unknown as MarketPrices
    const perUsd = big(usd).div(ten(16))
    const exactPrice = ({ rate, decimals }: typeof a) =>
      big(rate)
        .mul(ten(decimals - systemDecimals))
        .div(RATE_ONE)
    const price = priceOf(prices, 'a')!
    same('price', price.system, exactPrice(a))
    same('price in USD', price.usd, exactPrice(a).mul(perUsd))
    same('mid', midText(prices, 'a', 'b'), exactPrice(a).div(exactPrice(b)))
    const [x, y] = [random.bigint(1n << 62n), random.bigint(1n << 62n)]
    const both = big(x * a.rate + y * b.rate)
      .div(RATE_ONE)
      .div(ten(systemDecimals))
    const worth = worthOfBoth(prices, 'a', x, 'b', y)
    same('worth', worth.system, both)
    same('worth in USD', worth.usd, both.mul(perUsd))
    const raw = worthOfRaw(x, prices)
    same('raw', raw.system, big(x).div(ten(systemDecimals)))
    same('raw in USD', raw.usd, big(x).div(ten(systemDecimals)).mul(perUsd))
  }
  t.same(wrong, [])
})

t.test('unknown tokens, and zero amounts', async (t) => {
  const byToken = new Map([['a', { decimals: 4, rate: 1n << 192n }]])
  const prices = { byToken, usd: null, systemToken: { decimals: 4 } } as unknown as MarketPrices
  t.equal(priceOf(prices, 'b'), null)
  t.equal(midText(prices, 'a', 'b'), null)
  t.same(worthOfBoth(prices, 'a', 5n, 'b', 5n), { system: null, usd: null })
  t.same(worthOfBoth(prices, 'a', 0n, 'a', 0n), { system: '0', usd: null })
  t.same(worthOfBoth({ ...prices, usd: 1n } as never, 'a', 0n, 'a', 0n), { system: '0', usd: '0' })
  t.same(priceOf(prices, 'a'), { system: '1', usd: null })
})
