// The router with a live market: it uses the last block's state, and its cached routes contain no receiver.
import t from 'tap'
import type { LiveMarket, MarketListener } from '../../../api/live-market/live-market.ts'
import type { LiveBook, LivePool, MarketState, TokenRef } from '../../../api/live-market/model.ts'
import { LiveRouter } from '../../../api/route/live-router.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { AMM, addLiquidity, amountOf, DEX } from '../../../devnet/contracts/exchange.ts'
import { testChain } from '../../support/api.ts'
import { changesOf } from '../../support/changes.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { Exchange, id, orderOf, PAUPER, swapOf, token } from './exchange.ts'
import { raw } from './expected.ts'

const WAX = token('WAX')
const TLM = token('TLM')
const USDT = token('USDT')
const EOS = token('EOS')
const ORE = token('ORE')
const V2 = `/api/v2/swapRouter/getRoute?trade_type=EXACT_INPUT&input=${id(TLM)}&output=${id(WAX)}&amount=90000&v2=1`
const V3 = `/api/v3/swapRouter/getRoute?tradeType=exactIn&input=${id(TLM)}&output=${id(WAX)}&amount=90000`

t.test('routes follow the blocks', async (t) => {
  const exchange = await Exchange.open(t, new Random(seedFromEnvironment()))
  const { api, chain } = exchange
  const context = api.contexts[0]!

  t.test('answers name their block, and tags hold while nothing relevant has changed', async (t) => {
    const asked = async (path: string, tag?: unknown) => {
      const answer = await exchange.get(path, tag === undefined ? {} : { 'if-none-match': String(tag) })
      const { status, headers, text } = answer
      return { status, headers, text, tag: headers.etag, block: headers['x-block-num'] }
    }
    const pools = `${V3}&orderbook=false`
    const [v2, v3, v3Pools] = [await asked(V2), await asked(V3), await asked(pools)]
    t.equal(v2.block, String(chain.head.num))
    t.equal(v3.headers['x-block-time'], new Date(chain.headTime).toISOString())
    exchange.produce([])
    await exchange.follow()
    for (const [path, { tag }] of [
      [V2, v2],
      [V3, v3],
    ] as const) {
      const again = await asked(path)
      t.equal(again.block, String(chain.head.num))
      t.equal(again.tag, tag)
      t.equal((await asked(path, tag)).status, 304)
    }
    // More than all sell orders: the rest stays in the book, far above the pools' price.
    exchange.produce([[orderOf(WAX, 1_000_000, TLM, 2_000_000)]])
    await exchange.follow()
    t.equal((await asked(V2, v2.tag)).status, 304, 'an order book is nothing to v2')
    t.equal((await asked(pools, v3Pools.tag)).status, 304)
    const better = await asked(V3, v3.tag)
    t.equal(better.status, 200)
    t.ok(raw(JSON.parse(better.text).output.amount, WAX) > raw(JSON.parse(v3.text).output.amount, WAX))
    exchange.produce([[swapOf(WAX, 10_000, [2], TLM)]])
    await exchange.follow()
    const after = await asked(V2, v2.tag)
    t.equal(after.status, 200)
    t.ok(raw(JSON.parse(after.text).output, WAX) > raw(JSON.parse(v2.text).output, WAX))
  })

  t.test('after every kind of change a quote equals execution on the chain', async (t) => {
    const liquidity = { poolId: 2n, owner: 'trent.lp', tickLower: -60_000, tickUpper: 120_000 }
    const [a, b] = [TLM, WAX]
    const steps: [string, Parameters<Exchange['produce']>[0]][] = [
      ['a swap over two pools', [[swapOf(EOS, 2000, [4, 2], TLM)]]],
      ['liquidity', [addLiquidity(liquidity, [a, b], [amountOf(a, 900_000), amountOf(b, 130_000)])]],
      ['an order that is taken', [[orderOf(TLM, 50_000, WAX, 0.00000001)]]],
      ['a fee of a market', [[call(DEX, 'setmfee', DEX, { market_id: 0n, fee: 30 })]]],
      ['a pool that is closed', [[call(AMM, 'lockpool', AMM, { poolId: 8n, active: false })]]],
      ['a protocol fee', [[call(AMM, 'setfee', AMM, { poolId: 2n, feeProtocol: 4 })]]],
      ['a pool that is opened again', [[call(AMM, 'lockpool', AMM, { poolId: 8n, active: true })]]],
    ]
    for (const [what, transactions] of steps) {
      exchange.produce(transactions)
      await exchange.follow()
      for (const [input, output, amount] of [
        [TLM, WAX, '90000.0000'],
        [WAX, USDT, '33333.33333333'],
      ] as const) {
        const query = `tradeType=exactIn&input=${id(input)}&output=${id(output)}&amount=${amount}&account=${PAUPER}`
        const { body } = await exchange.get(`/api/v3/swapRouter/getRoute?${query}`)
        const outcome = exchange.rehearse(body.transfers, [[input, raw(amount, input)]])
        t.equal(outcome.error === null && outcome.left.get(id(output)), raw(body.output.amount, output), what)
      }
    }
    t.same(
      (await exchange.get(V3)).body.routes
        .flatMap(({ hops }: { hops: { market?: number; fee: string }[] }) => hops)
        .filter(({ market }: { market?: number }) => market === 0)
        .map(({ fee }: { fee: string }) => fee)
        .slice(0, 1),
      ['0.3'],
    )
  })

  t.test('a fork removes routes', async (t) => {
    const before = (await exchange.get(V2)).text
    exchange.produce([[swapOf(WAX, 50_000, [2], TLM)]])
    await exchange.follow()
    t.not((await exchange.get(V2)).text, before)
    chain.fork(1)
    for (let i = 0; i < 2; i++) exchange.produce([])
    await exchange.follow()
    t.equal((await exchange.get(V2)).text, before)
  })

  t.test('cached routes contain no account names', async (t) => {
    const named = ['alice.trade', 'bob', 'mallory1']
    const texts = await Promise.all(named.map(async (account) => (await exchange.get(`${V3}&account=${account}`)).text))
    for (const [i, text] of texts.entries())
      for (const [j, account] of named.entries()) t.equal(text.includes(account), i === j, `${account} in answer ${i}`)
    const v2 = await Promise.all(named.map(async (account) => (await exchange.get(`${V2}&receiver=${account}`)).text))
    for (const [i, text] of v2.entries())
      for (const [j, account] of named.entries()) t.equal(text.includes(account), i === j, `${account} in answer ${i}`)
    t.notMatch((await exchange.get(V2)).text, new RegExp(named.join('|')))
    const slippage = { numerator: 3n, denominator: 1000n }
    const request = { input: id(TLM), output: id(WAX), amount: 900_000_000n, slippage, maxHops: 3, maxParts: 5 }
    const kept = context.router.exactIn(request)
    t.ok(kept)
    t.equal(context.router.exactIn(request), kept, 'the same route is found once a block')
    const text = JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    t.notMatch(text, new RegExp(['alice.trade', 'mallory1'].join('|')))
    exchange.produce([[swapOf(WAX, 100, [2], TLM)]])
    await exchange.follow()
    t.not(context.router.exactIn(request), kept)
  })
})

t.test('exact output over several pools, if the contract supports them', async (t) => {
  const exchange = await Exchange.open(t, new Random(seedFromEnvironment()), { exactOutPaths: true })
  const query = `input=${id(ORE)}&output=${id(EOS)}`
  const v2 = await exchange.get(`/api/v2/swapRouter/getRoute?trade_type=EXACT_OUTPUT&${query}&amount=10`)
  t.equal(v2.body.memo, `swapexactout#${v2.body.route.join(',')}#<receiver>#10.0000 EOS@${EOS.contract}#0`)
  t.ok(v2.body.route.length > 1)
  const v3 = await exchange.get(`/api/v3/swapRouter/getRoute?tradeType=exactOut&${query}&amount=10`)
  const [first] = v3.body.transfers
  t.equal(first.memo.split('#')[0], 'swapexactout')
  t.equal(first.memo.split('#')[1].split(',').length, v3.body.routes[0].hops.length)
})

const ref = (symbol: string, decimals = 4): TokenRef => ({
  id: `${symbol.toLowerCase()}-tokens`,
  contract: 'tokens',
  symbol,
  decimals,
})

const [A, B] = [ref('A'), ref('B')]

function book(id: number, base: TokenRef, target: TokenRef, bid: bigint): LiveBook {
  const order = { id: 1n, account: 'x', bid, ask: 10_000_000n, unitPrice: 1n }
  const least = { minBuy: 1n, minBuyDecimals: 4, minSell: 1n, minSellDecimals: 4 }
  return { id, base, target, ...least, frozen: false, fee: 20, bids: [], asks: [order] } as unknown as LiveBook
}

/** Markets by token, and a market that the test can mark as changed. */
function markets(books: LiveBook[]) {
  const booksOf = new Map(
    [A, B].map(({ id }) => [id, new Set(books.filter(({ base, target }) => base.id === id || target.id === id))]),
  )
  const byId = new Map(books.map((one) => [one.id, one]))
  const tokens = new Map([A, B].map((one) => [one.id, one]))
  const state = { pools: new Map<number, LivePool>(), books: byId, booksOf, tokens } as unknown as MarketState
  let tell: MarketListener = () => {}
  const listen = (listener: MarketListener) => {
    tell = listener
  }
  const router = new LiveRouter(testChain('wax'), { state, listen } as unknown as LiveMarket)
  const changed = (ids: number[]) => tell(state, changesOf({ books: new Set(ids) }))
  const found = () => router.exactIn({ input: B.id, output: A.id, amount: 1_000_000n })?.parts[0]?.hops[0]?.book?.id
  return { state, changed, found }
}

t.test('of several markets of a pair the contract takes the oldest, so no other one is routed', async (t) => {
  const [old, young] = [book(3, A, B, 10_000_000n), book(7, B, A, 1n)]
  young.bids = [{ ...young.asks[0]!, bid: 20_000_000n }]
  const { state, changed, found } = markets([young, old])
  t.equal(found(), 3, 'although the other one is better')
  state.books.delete(3)
  for (const books of state.booksOf.values()) books.delete(old)
  changed([3])
  t.equal(found(), 7)
  state.books.set(3, old)
  for (const books of state.booksOf.values()) books.add(old)
  changed([3, 7])
  t.equal(found(), 3)
})

t.test('a pool of a token with other decimals than it has is not routed', async (t) => {
  const { state, changed, found } = markets([])
  t.equal(found(), undefined)
  const wrong = { ...A, decimals: 8 }
  const ticks = new Map([
    [-600, { id: -600, liquidityNet: 10n ** 12n }],
    [600, { id: 600, liquidityNet: -(10n ** 12n) }],
  ])
  const shape = { id: 1, active: true, b: B, fee: 3000, tickSpacing: 60, sqrtPriceX64: 1n << 64n, tick: 0, ticks }
  const rest = { liquidity: 10n ** 12n, feeProtocol: 0, feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n }
  const tell = (a: TokenRef) => {
    state.pools.set(1, { ...shape, ...rest, a } as unknown as LivePool)
    const router = new LiveRouter(testChain('wax'), { state, listen() {} } as unknown as LiveMarket)
    return router.exactIn({ input: B.id, output: A.id, amount: 1_000_000n })
  }
  changed([])
  t.equal(tell(wrong), null)
  t.ok(tell(A))
})
