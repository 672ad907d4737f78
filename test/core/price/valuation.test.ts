// Trust, thresholds and USD values, compared with figures computed by hand and with exact fractions.
import t from 'tap'
import { poolValue } from '../../../core/price/pool-value.ts'
import { quoteToken } from '../../../core/price/quote.ts'
import { thresholdOf } from '../../../core/price/threshold.ts'
import { contractOf, tokenId } from '../../../core/price/token-id.ts'
import { RATE_ONE, type TokenPrice, usdPrice } from '../../../core/price/token-price.ts'
import { TrustRules } from '../../../core/price/trust.ts'
import { Valuation } from '../../../core/price/usd-value.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const USD = 10n ** 16n
const WAX = 'wax-eosio.token'
const none = new Map<string, number>()

function priceOf(rate: bigint, decimals = 4): TokenPrice {
  return { token: 'a-x', decimals, rate, width: 1n, poolId: 1, via: WAX, hops: 1 }
}

const system: TokenPrice = { token: WAX, decimals: 8, rate: RATE_ONE, width: null, poolId: null, via: null, hops: 0 }

t.test('token ids are lower-case symbols with their contract', async (t) => {
  t.equal(tokenId('WAX', 'eosio.token'), WAX)
  t.equal(contractOf(WAX), 'eosio.token')
})

t.test(
  'the value of a trade is the mean of both sides if both are trusted, else the trusted side, else unknown',
  async (t) => {
    const values = new Valuation(USD / 20n, 8)
    const wax = { amount: -200_0000_0000n, price: system, isTrusted: true }
    // 0.5 WAX for one token of 4 decimals: 300 of them are 150 WAX.
    const token = { amount: 300_0000n, price: priceOf(RATE_ONE * 5000n), isTrusted: true }
    t.equal(values.trade(wax, token), 8_7500_0000n)
    t.equal(values.trade(token, wax), 8_7500_0000n)
    t.equal(values.trade(wax, { ...token, isTrusted: false }), 10_0000_0000n)
    t.equal(values.trade({ ...wax, isTrusted: false }, token), 7_5000_0000n)
    t.equal(values.trade({ ...wax, isTrusted: false }, { ...token, isTrusted: false }), null, 'nobody knows')
    t.equal(
      values.trade(wax, { ...token, price: undefined }),
      10_0000_0000n,
      'a trusted token without a price says nothing',
    )
    t.equal(values.holding(wax, { ...token }), 17_5000_0000n)
    t.equal(values.holding(wax, { ...token, price: undefined }), 10_0000_0000n)
    t.equal(values.trade({ ...wax, isTrusted: false }, { ...token, price: undefined }), null)
  },
)

t.test('liquidity is worth the sum of its sides; unknown when a side that has an amount has no price', async (t) => {
  const values = new Valuation(USD / 20n, 8)
  const wax = { amount: -200_0000_0000n, price: system }
  const token = { amount: 300_0000n, price: priceOf(RATE_ONE * 5000n) }
  const nothing = { amount: 0n, price: undefined }
  t.equal(values.liquidity(wax, token), 17_5000_0000n)
  t.equal(values.liquidity(wax, { ...token, price: undefined }), null)
  t.equal(values.liquidity({ ...wax, price: undefined }, token), null)
  t.equal(values.liquidity(wax, nothing), 10_0000_0000n, 'nothing of a token is worth nothing')
  t.equal(values.liquidity(nothing, nothing), 0n)
})

t.test(
  'the value of a pool is the sum of its trusted sides, or twice its only one; without one unknown, unless it is empty',
  async (t) => {
    const values = new Valuation(USD / 20n, 8)
    const wax = { amount: 200_0000_0000n, price: system, isTrusted: true }
    const token = { amount: 300_0000n, price: priceOf(RATE_ONE * 5000n), isTrusted: true }
    const doubted = { ...token, isTrusted: false }
    t.equal(poolValue(values, wax, token), 17_5000_0000n)
    t.equal(poolValue(values, wax, doubted), 20_0000_0000n)
    t.equal(poolValue(values, doubted, token), 15_0000_0000n)
    t.equal(poolValue(values, doubted, doubted), null)
    t.equal(poolValue(values, doubted, { ...token, price: undefined }), null)
    t.equal(poolValue(values, { ...doubted, amount: 0n }, { ...doubted, amount: 0n }), 0n)
  },
)

t.test('values are rounded half up once, at 10^-8 USD', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  for (let round = 0; round < 2_000; round++) {
    const usd = 1n + random.bigint(1n << BigInt(random.integer(1, 70)))
    const decimals = random.integer(0, 18)
    const values = new Valuation(usd, decimals)
    const side = () => ({
      amount: random.bigint(1n << 62n),
      price: priceOf(1n + random.bigint(1n << 200n)),
      isTrusted: true,
    })
    const [x, y] = [side(), side()]
    const sum = x.amount * x.price.rate + y.amount * y.price.rate
    // sum / 2^192 raw system units, at usd / 10^16 for 10^decimals of them, in 10^-8 USD.
    const numerator = sum * usd * 10n ** 8n
    const denominator = 2n ** 192n * 10n ** 16n * 10n ** BigInt(decimals)
    for (const [got, parts] of [
      [values.trade(x, y), 2n],
      [values.holding(x, y), 1n],
    ] as const) {
      // |got - exact| <= 1/2, and exactly a half goes up.
      const twice = 2n * ((got as bigint) * denominator * parts - numerator)
      if (!t.ok(twice <= denominator * parts && twice > -denominator * parts, `HEADWATER_SEED=${seed}`)) return
    }
  }
})

t.test('trust: system token, stablecoins, the trusted list, scores; scams from their time on', async (t) => {
  const rules = new TrustRules(WAX, {
    stable: ['usdt-usdt.svc'],
    trusted: [{ token: 'tlm-alien.worlds' }, { token: 'prospectorsg', from: 1000 }],
    scam: [
      { token: 'scamcontract', from: 500 },
      { token: 'bad-tokens', from: 700 },
      { token: 'tlm-alien.worlds', from: 900 },
    ],
    minimumScore: 41,
  })
  const scores = new Map([
    ['a-x', 41],
    ['b-x', 40],
    ['c-scamcontract', 100],
  ])
  const trusted = (token: string, at: number) => rules.isTrusted(token, at, scores)
  t.ok(trusted(WAX, 0))
  t.ok(trusted('usdt-usdt.svc', 0))
  t.notOk(trusted('usdt-other', 0))
  t.notOk(trusted('pgl-prospectorsg', 999))
  t.ok(trusted('pgl-prospectorsg', 1000))
  t.ok(trusted('a-x', 0))
  t.notOk(trusted('b-x', 0))
  t.ok(trusted('tlm-alien.worlds', 899))
  t.notOk(trusted('tlm-alien.worlds', 900))
  t.ok(trusted('c-scamcontract', 499))
  t.notOk(trusted('c-scamcontract', 500))
  t.notOk(rules.isScam('bad-tokens', 699))
  t.ok(rules.isScam('bad-tokens', 700))
  t.notOk(rules.isScam('good-tokens', 700))
})

t.test('the threshold is worth 100 USD, or 500 system tokens while there is no USD price', async (t) => {
  const rule = { usd: 100, system: 500 }
  t.equal(thresholdOf(rule, null, 8), 500_0000_0000n)
  t.equal(thresholdOf(rule, USD / 20n, 8), 2000_0000_0000n)
  t.equal(thresholdOf(rule, USD / 3n, 0), 301n, 'rounded up')
  t.equal(thresholdOf({ usd: 0, system: 0 }, USD, 4), 1n)
  t.equal(thresholdOf({ usd: 0.5, system: 0 }, USD, 4), 5000n)
})

t.test('quotes: only trusted tokens have safe prices, scams have none, USD is null without a source', async (t) => {
  const lists = { stable: [], trusted: [{ token: 'a-x' }], scam: [{ token: 'bad-x' }], minimumScore: 41 }
  const prices = new Map(
    [
      system,
      priceOf(RATE_ONE * 5000n),
      { ...priceOf(RATE_ONE), token: 'b-x' },
      { ...priceOf(RATE_ONE), token: 'bad-x' },
    ].map((p) => [p.token, p]),
  )
  const context = { prices, systemDecimals: 8, usd: USD / 20n, rules: new TrustRules(WAX, lists), scores: none, at: 0 }
  t.same(quoteToken(WAX, context), {
    isScam: false,
    isTrusted: true,
    systemPrice: 1,
    usdPrice: 0.05,
    safeSystemPrice: 1,
    safeUsdPrice: 0.05,
  })
  t.match(quoteToken('a-x', context), { isTrusted: true, systemPrice: 0.5, usdPrice: 0.025, safeUsdPrice: 0.025 })
  t.match(quoteToken('b-x', context), {
    isTrusted: false,
    systemPrice: 0.0001,
    usdPrice: 0.000005,
    safeSystemPrice: 0,
    safeUsdPrice: 0,
  })
  t.same(quoteToken('bad-x', context), {
    isScam: true,
    isTrusted: false,
    systemPrice: 0,
    usdPrice: 0,
    safeSystemPrice: 0,
    safeUsdPrice: 0,
  })
  t.match(quoteToken('unknown-x', context), { isScam: false, isTrusted: false, systemPrice: 0, usdPrice: 0 })
  t.match(quoteToken('a-x', { ...context, usd: null }), {
    systemPrice: 0.5,
    usdPrice: null,
    safeSystemPrice: 0.5,
    safeUsdPrice: null,
  })
  t.match(quoteToken('b-x', { ...context, usd: null }), { usdPrice: null, safeSystemPrice: 0, safeUsdPrice: null })
})

t.test('USD prices as doubles are correct to the last place or two', async (t) => {
  const random = new Random(seedFromEnvironment() + 5)
  for (let round = 0; round < 500; round++) {
    const price = priceOf(1n + random.bigint(1n << BigInt(random.integer(60, 255))), random.integer(0, 18))
    const usd = 1n + random.bigint(10n ** 20n)
    const plain = (((Number(price.rate) / 2 ** 192) * 10 ** price.decimals) / 10 ** 8) * (Number(usd) / 1e16)
    t.ok(Math.abs(usdPrice(price, 8, usd) / plain - 1) < 1e-14)
  }
})
