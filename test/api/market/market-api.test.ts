// The market API over a hand-made chain: all expected numbers were computed by hand. One WAX is 0.04 USD, so the 100
// USD that a pool needs to price a token are 2,500 WAX on its priced side.
import t from 'tap'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { type HandPool, idOf, token, WAX, writeChain } from './hand-made.ts'

const [NEAR, WIDE, MID, THIN, LOOP, ROUND, BOOK, SCAM] = [
  token('NEAR'),
  token('WIDE'),
  token('MID', 6),
  token('THIN', 0),
  token('LOOP'),
  token('ROUND'),
  token('BOOK', 2),
  token('SCAM', 4, 'bad.test'),
]

const POOLS: HandPool[] = [
  { id: 0, a: [WAX, 10_000], b: [NEAR, 40_000] },
  // The longer path to WIDE is wider: 50,000 and 20,000 WAX instead of 10,000.
  { id: 1, a: [WAX, 10_000], b: [WIDE, 10_000] },
  { id: 2, a: [WAX, 50_000], b: [MID, 25_000] },
  { id: 3, a: [MID, 10_000], b: [WIDE, 30_000], fee: 500 },
  // Slightly less than 100 USD.
  { id: 4, a: [WAX, 2_499], b: [THIN, 300] },
  // Two tokens that are traded only for each other.
  { id: 5, a: [LOOP, 900_000], b: [ROUND, 900_000] },
  { id: 6, a: [LOOP, 900_000], b: [ROUND, 300_000], fee: 500 },
  { id: 7, a: [SCAM, 900_000], b: [WAX, 900_000] },
  { id: 8, a: [NEAR, 7_000], b: [WAX, 1_750], fee: 10_000, active: false },
]
const MARKETS = [
  { id: 3, base: BOOK, target: WAX },
  { id: 4, base: NEAR, target: WAX, fee: 35, frozen: true },
]
/** Three buy orders at two prices and 25 sell orders on one market; the other market is empty. */
const ORDERS = [
  { market: 3, side: 'buy' as const, id: 1, bid: 3_00000000n, ask: 200n, unitPrice: 1_50000000n },
  { market: 3, side: 'buy' as const, id: 2, bid: 3_00000000n, ask: 200n, unitPrice: 1_50000000n },
  { market: 3, side: 'buy' as const, id: 3, bid: 1_00000000n, ask: 100n, unitPrice: 1_00000000n },
  ...Array.from({ length: 25 }, (_, i) => {
    const unitPrice = 2_00000000n + BigInt(i)
    return { market: 3, side: 'sell' as const, id: 10 + i, bid: 100n, ask: unitPrice, unitPrice }
  }),
]

t.test('the market API', async (t) => {
  const database = await testDatabase(t)
  await writeChain(database.pool, 'wax', { pools: POOLS, markets: MARKETS, orders: ORDERS })
  await writeChain(database.pool, 'telos', { pools: [{ id: 0, a: [WAX, 10_000], b: [NEAR, 10_000] }] })
  const trust = { ...testChain('wax').trust, scam: [{ token: idOf(SCAM) }] }
  const price = { ...testChain('wax').price, source: 'fixed', usd: 0.04 } as never
  const unknownUsd = { ...testChain('telos').price, source: 'oracle', usd: undefined } as never
  const chains = [testChain('wax', 'dev', { trust, price }), testChain('telos', 'dev', { price: unknownUsd })]
  const api = await testApi(t, database, { chains })
  const get = async (path: string, host = 'wax.localhost') => {
    const { status, body, text } = await api.get(`/api/v3/market/${path}`, { host })
    if (status === 200) t.notMatch(text, /\d[eE][-+]?\d|Infinity|NaN/, `MKT-02 no exponent: ${path}`)
    return { status, body }
  }
  const tokenBody = async (of: typeof WAX) => (await get(`tokens/${idOf(of)}`)).body.token

  await t.test('MKT-01 MKT-03 MKT-04 MKT-05 the list of tokens', async (t) => {
    const { status, body } = await get('tokens')
    t.equal(status, 200)
    t.equal(body.block, 1000)
    t.equal(body.systemToken, 'wax-eosio.token')
    t.equal(body.systemUsdPrice, '0.04')
    const unpriced = [BOOK, LOOP, ROUND, SCAM, THIN].map(idOf).sort()
    t.same(
      body.tokens.map(({ id }: { id: string }) => id),
      [WAX, MID, WIDE, NEAR].map(idOf).concat(unpriced),
    )
    t.same(body.tokens[0], {
      id: 'wax-eosio.token',
      symbol: 'WAX',
      contract: 'eosio.token',
      decimals: 8,
      price: '1',
      priceUsd: '0.04',
      liquidity: null,
      liquidityUsd: null,
      pools: 6,
      orderbooks: 2,
    })
    const telos = (await get('tokens', 'telos.localhost')).body
    t.equal(telos.systemUsdPrice, null)
    t.same(
      telos.tokens.map((one: Record<string, unknown>) => [
        one.id,
        one.price,
        one.priceUsd,
        one.liquidity,
        one.liquidityUsd,
      ]),
      [
        ['wax-eosio.token', '1', null, null, null],
        [idOf(NEAR), '1', null, '10000', null],
      ],
    )
  })

  await t.test('MKT-06 MKT-07 MKT-08 prices by the widest path, with the value of its weakest pool', async (t) => {
    t.match(await tokenBody(NEAR), { price: '0.25', priceUsd: '0.01', liquidity: '10000', liquidityUsd: '400' })
    t.match(await tokenBody(MID), { price: '2', priceUsd: '0.08', liquidity: '50000', liquidityUsd: '2000' })
    // 10,000 MID are worth 20,000 WAX: one MID is three WIDE, and two WAX.
    t.match(await tokenBody(WIDE), { price: '0.66666667', liquidity: '20000', pools: 2, orderbooks: 0 })
    t.equal((await tokenBody(WIDE)).priceUsd, '0.026666667')
  })

  await t.test('MKT-06 MKT-09 MKT-10 tokens without a price', async (t) => {
    for (const [of, pools, orderbooks] of [
      [THIN, 1, 0],
      [LOOP, 2, 0],
      [ROUND, 2, 0],
      [BOOK, 0, 1],
      [SCAM, 1, 0],
    ] as const) {
      const nothing = { price: null, priceUsd: null, liquidity: null, liquidityUsd: null }
      t.match(await tokenBody(of), { ...nothing, pools, orderbooks }, of.symbol)
    }
  })

  await t.test('MKT-11 MKT-34 one token, no token, no chain', async (t) => {
    const { body } = await get('tokens/WAX-eosio.TOKEN')
    t.same(Object.keys(body), ['block', 'token'])
    t.match(await get('tokens/none-nobody'), { status: 404, body: { error: 'Unknown token' } })
    t.match(await get('tokens', 'nowhere.localhost'), { status: 404, body: { error: 'Unknown network' } })
  })

  await t.test('MKT-12 MKT-13 MKT-14 the mid of a pair', async (t) => {
    const { body } = await get(`price?base=${idOf(NEAR)}&quote=${idOf(MID)}`)
    t.same(body, {
      block: 1000,
      base: { id: idOf(NEAR), symbol: 'NEAR', contract: 'tokens.test', decimals: 4 },
      quote: { id: idOf(MID), symbol: 'MID', contract: 'tokens.test', decimals: 6 },
      mid: '0.125',
    })
    t.same((await get(`price?base=${idOf(NEAR)}&quote=${idOf(LOOP)}`)).body.mid, null)
    for (const query of ['', `base=${idOf(NEAR)}`, `quote=${idOf(NEAR)}`, `base=&quote=${idOf(NEAR)}`])
      t.match(await get(`price?${query}`), { status: 400, body: { error: String } }, query)
    t.match(await get(`price?base=${idOf(NEAR)}&quote=x-y`), { status: 404, body: { error: 'Unknown token' } })
  })

  await t.test('MKT-14 MKT-15 MKT-16 MKT-18 a round trip of some size', async (t) => {
    const pair = `base=${idOf(NEAR)}&quote=wax-eosio.token`
    const { sell, buy, mid } = (await get(`price?${pair}&amount=100`)).body
    t.same(Object.keys(sell), ['input', 'output', 'price', 'priceImpact'])
    t.equal(sell.input, '100.0000')
    // 100 NEAR less 0.3 % into 40,000 NEAR and 10,000 WAX: 10,000 · 99.7 / 40,099.7.
    t.ok(Math.abs(Number(sell.output) - (10_000 * 99.7) / 40_099.7) < 2e-6, sell.output)
    t.match(sell.output, /^\d+\.\d{8}$/)
    t.equal(buy.input, sell.output)
    t.ok(Number(buy.output) < 100 && Number(buy.output) > 98.5)
    t.ok(Math.abs(Number(sell.price) / (Number(sell.output) / 100) - 1) < 1e-7)
    t.ok(Math.abs(Number(buy.price) / (Number(buy.input) / Number(buy.output)) - 1) < 1e-7)
    t.ok(Number(sell.price) <= Number(mid) && Number(mid) <= Number(buy.price), `${sell.price} ${mid} ${buy.price}`)
    t.ok(Math.abs(Number(sell.priceImpact) - 100 * (1 - Number(sell.price) / 0.25)) < 0.01, sell.priceImpact)
    const route = await api.get(
      `/api/v3/swapRouter/getRoute?tradeType=exactIn&input=${idOf(NEAR)}&output=wax-eosio.token&amount=100`,
    )
    t.equal(route.body.output.amount, sell.output)
    const none = (await get(`price?base=${idOf(NEAR)}&quote=${idOf(LOOP)}&amount=1`)).body
    t.same([none.sell, none.buy], [null, null])
    t.equal((await get(`price?base=${idOf(BOOK)}&quote=wax-eosio.token&amount=1`)).body.sell.output, '1.49700000')
  })

  await t.test(
    'MKT-18 a sale over two venues passes on the guaranteed minimum of the first one, as a swap does',
    async (t) => {
      const [from, to] = [idOf(BOOK), idOf(NEAR)]
      const { sell } = (await get(`price?base=${from}&quote=${to}&amount=1`)).body
      // 1.5 WAX minus the fee of 0.2 % and the default slippage of 0.3 %, then minus 0.3 % into 10,000 WAX and 40,000
      // NEAR.
      const entering = 1.5 * 0.998 * 0.997 * 0.997
      t.equal(Number(sell.output), Math.floor((1e4 * 40_000 * entering) / (10_000 + entering)) / 1e4)
      const swap = `/api/v3/swapRouter/getRoute?tradeType=exactIn&input=${from}&output=${to}`
      t.equal((await api.get(`${swap}&amount=1`)).body.output.amount, sell.output)
      const [level] = (await get(`depth?input=${from}&output=${to}&impact=2`)).body.levels
      t.equal((await api.get(`${swap}&amount=${level.input}`)).body.output.amount, level.output)
    },
  )

  await t.test('MKT-17 invalid amounts', async (t) => {
    for (const amount of ['0', '0.0000', '-1', 'x', '1.00001', '1e3', '1,5', '.5', '5.', '9'.repeat(30)])
      t.match(
        await get(`price?base=${idOf(NEAR)}&quote=wax-eosio.token&amount=${amount}`),
        { status: 400, body: { error: 'Invalid amount' } },
        amount,
      )
  })

  await t.test('MKT-26 MKT-27 MKT-28 pools', async (t) => {
    const { body } = await get('pools')
    t.same(
      body.pools.map(({ id }: { id: number }) => id),
      [0, 1, 2, 3, 4, 5, 6, 7, 8],
    )
    const of = async (wanted: typeof WAX) =>
      (await get(`pools?token=${idOf(wanted)}`)).body.pools.map(({ id }: { id: number }) => id)
    t.same(await of(WIDE), [1, 3])
    t.same(await of(BOOK), [], 'a token of a market alone')
    t.match(await get('pools?token=x-y'), { status: 404, body: { error: 'Unknown token' } })
    const { block, pool } = (await get('pools/3')).body
    t.equal(block, 1000)
    const near = (x: string, y: number) => t.ok(Math.abs(Number(x) / y - 1) < 1e-7, `${x} ${y}`)
    t.match(pool, {
      id: 3,
      tokenA: { id: idOf(MID), symbol: 'MID', contract: 'tokens.test', decimals: 6 },
      tokenB: { id: idOf(WIDE), decimals: 4 },
      fee: '0.05',
      tickSpacing: 60,
      active: true,
      price: '3',
      sqrtPriceX64: /^\d+$/,
      tick: Number,
      liquidity: /^\d+$/,
      reserveA: '10000.000000',
      reserveB: '30000.0000',
    })
    near(pool.tvl, 40_000)
    near(pool.tvlUsd, 1_600)
    t.match(await get('pools/4'), { body: { pool: { tvl: null, tvlUsd: null, reserveB: '300', fee: '0.3' } } })
    t.match(await get('pools/8'), { body: { pool: { active: false, fee: '1', price: '0.25' } } })
    for (const id of ['77', '9007199254740993', '18446744073709551615', '9'.repeat(90)])
      t.match(await get(`pools/${id}`), { status: 404, body: { error: 'Unknown pool' } }, id)
    for (const id of ['x', '-1', '1.5', '1e1', '0x1', '%20'])
      t.match(await get(`pools/${id}`), { status: 400, body: { error: 'Invalid pool id' } }, id)
    const telos = (await get('pools/0', 'telos.localhost')).body.pool
    near(telos.tvl, 20_000)
    t.equal(telos.tvlUsd, null)
  })

  await t.test('MKT-29 MKT-30 MKT-31 MKT-32 MKT-33 order books, named as by the contract', async (t) => {
    const { body } = await get('orderbooks')
    const wax = { id: 'wax-eosio.token', symbol: 'WAX', contract: 'eosio.token', decimals: 8 }
    const book = { id: idOf(BOOK), symbol: 'BOOK', contract: 'tokens.test', decimals: 2 }
    const market = { id: 3, base: wax, quote: book, fee: '0.2', frozen: false, bestBid: '1.5', bestAsk: '2' }
    t.same(body, {
      block: 1000,
      orderbooks: [
        market,
        {
          id: 4,
          base: wax,
          quote: { ...book, id: idOf(NEAR), symbol: 'NEAR', decimals: 4 },
          fee: '0.35',
          frozen: true,
          bestBid: null,
          bestAsk: null,
        },
      ],
    })
    t.same((await get(`orderbooks?token=${idOf(BOOK)}`)).body.orderbooks, [market])
    t.same((await get(`orderbooks?token=${idOf(MID)}`)).body.orderbooks, [])
    t.match(await get('orderbooks?token=x-y'), { status: 404, body: { error: 'Unknown token' } })
    const { orderbook } = (await get('orderbooks/3')).body
    const { bids, asks, ...rest } = orderbook
    t.same(rest, market)
    t.same(bids, [
      { price: '1.5', amount: '2.00' },
      { price: '1.5', amount: '2.00' },
      { price: '1', amount: '1.00' },
    ])
    t.equal(asks.length, 20)
    t.same(asks[0], { price: '2', amount: '1.00' })
    t.same(asks[10].price, '2.0000001', 'eight digits, rounded')
    const [ticker] = (await api.get('/api/v2/tickers')).body
    t.same([ticker.target_currency, ticker.base_currency], [market.base.id, market.quote.id])
    t.same([ticker.bid, ticker.ask], [Number(market.bestBid), Number(market.bestAsk)])
    t.match(await get('orderbooks/9'), { status: 404, body: { error: 'Unknown market' } })
    t.match(await get('orderbooks/x'), { status: 400, body: { error: 'Invalid market id' } })
  })

  await t.test('MKT-19 MKT-20 levels of a depth', async (t) => {
    const pair = `input=${idOf(NEAR)}&output=wax-eosio.token`
    const { status, body } = await get(`depth?${pair}`)
    t.equal(status, 200)
    t.same(
      body.levels.map(({ impact }: { impact: number }) => impact),
      [0.5, 1, 2, 5],
    )
    t.same(body.input, { id: idOf(NEAR), symbol: 'NEAR', contract: 'tokens.test', decimals: 4 })
    t.equal(body.output.id, 'wax-eosio.token')
    const levels = async (impact: string) => get(`depth?${pair}&impact=${impact}`)
    t.same(
      (await levels('5,0.5,100')).body.levels.map(({ impact }: { impact: number }) => impact),
      [5, 0.5, 100],
    )
    t.equal((await levels('1,2,3,4,5,6,7,8,9,10')).body.levels.length, 10)
    for (const impact of ['1,2,3,4,5,6,7,8,9,10,11', '100.1', '-1', 'x', '1,,2', ',', '1e1', 'NaN'])
      t.match(await levels(impact), { status: 400, body: { error: 'Invalid impact' } }, impact)
    t.match(await get(`depth?input=${idOf(NEAR)}`), { status: 400, body: { error: String } })
    t.match(await get(`depth?input=${idOf(NEAR)}&output=x-y`), { status: 404, body: { error: 'Unknown token' } })
    t.match(await get(`depth?input=${idOf(NEAR)}&output=${idOf(NEAR)}`), { status: 400 })
  })

  await t.test('of several errors the first in a fixed order is reported', async (t) => {
    const near = idOf(NEAR)
    const order: [query: string, status: number, error: string][] = [
      ['price?base=x-y&amount=x', 400, 'Bad Request'],
      [`price?base=x-y&quote=${near}&amount=x`, 404, 'Unknown token'],
      [`price?base=${near}&quote=${near}&amount=x`, 400, 'Invalid amount'],
      ['depth?input=x-y&impact=x', 400, 'Bad Request'],
      [`depth?input=x-y&output=x-y&impact=x`, 404, 'Unknown token'],
      [`depth?input=${near}&output=x-y&impact=x`, 404, 'Unknown token'],
      [`depth?input=${near}&output=${near}&impact=x`, 400, 'Input and output are the same token'],
      [`depth?input=${near}&output=${idOf(MID)}&impact=x`, 400, 'Invalid impact'],
    ]
    for (const [query, status, error] of order) t.match(await get(query), { status, body: { error } }, query)
  })

  await t.test('MKT-21 MKT-22 MKT-23 MKT-24 the largest trade of each level', async (t) => {
    const { reference, referenceKind, levels } = (
      await get(`depth?input=${idOf(NEAR)}&output=wax-eosio.token&impact=0.1,0.5,1,2,5`)
    ).body
    t.same([reference, referenceKind], ['0.25', 'mid'])
    t.same(levels[0], { impact: 0.1, input: null, output: null }, 'below the fee of 0.3 %')
    let last = 0
    for (const { impact, input, output } of levels.slice(1)) {
      // Average price of x into the pool: 10,000 · 0.997 x / (40,000 + 0.997 x) / x = 0.25 (1 − impact).
      const exact = (40_000 * 0.997) / (1 - impact / 100) / 0.997 - 40_000 / 0.997
      t.ok(Number(input) <= exact * 1.0001 && Number(input) > exact * 0.98, `${impact} %: ${input} of ${exact}`)
      t.ok(Number(output) / Number(input) >= 0.25 * (1 - impact / 100) - 1e-9)
      t.ok(Number(input) >= last)
      last = Number(input)
    }
    const small = (await get(`depth?input=${idOf(LOOP)}&output=${idOf(ROUND)}`)).body
    t.equal(small.referenceKind, 'smallTrade')
    t.ok(Math.abs(Number(small.reference) - 0.997) < 0.001, `the better pool at its fee: ${small.reference}`)
    const none = (await get(`depth?input=${idOf(NEAR)}&output=${idOf(LOOP)}&impact=1`)).body
    t.same([none.reference, none.levels], [null, [{ impact: 1, input: null, output: null }]])
  })
})
