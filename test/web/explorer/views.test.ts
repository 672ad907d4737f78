// View models of the explorer: addresses, rows of markets, order books, liquidity by price.
import t from 'tap'
import { chainPrefixes } from '../../../api/http/chain-prefix.ts'
import { bridgePlaces } from '../../../api/site/explorer/places.ts'
import { guesses, parsePath, pathOf } from '../../../web/explorer/core/addresses.ts'
import {
  dayLine,
  filtered,
  flashTone,
  knownVolume,
  type MarketRow,
  pairRow,
  poolRow,
  reversedChange,
  scamNote,
  sorted,
  visibleRange,
  withScams,
} from '../../../web/explorer/core/market-rows.ts'
import { bookSides, sum } from '../../../web/explorer/core/order-book.ts'
import { repeatedSymbols } from '../../../web/explorer/core/repeated.ts'
import { otherMarkets, rarer } from '../../../web/explorer/core/same-pair.ts'
import {
  isFullRange,
  isWholeLiquidity,
  liquidityBars,
  liquiditySteps,
  priceAtTick,
} from '../../../web/explorer/core/tick-liquidity.ts'
import { amountText, type Leg, legSteps, milliseconds, nameOfDomain } from '../../../web/explorer/core/transfer.ts'

const CHAINS = ['wax', 'telos']

t.test('addresses name page, id and chain; nothing else is a page', async (t) => {
  t.same(parsePath('/', CHAINS), { kind: 'markets', id: '', chain: null })
  t.same(parsePath('/telos', CHAINS), { kind: 'markets', id: '', chain: 'telos' })
  t.same(parsePath('/telos/pool/7/', CHAINS), { kind: 'pool', id: '7', chain: 'telos' })
  t.same(parsePath('/token/wax-eosio.token', CHAINS), { kind: 'token', id: 'wax-eosio.token', chain: null })
  for (const path of [
    '/eos/pool/7',
    '/pool/x',
    '/pool/1/2',
    '/pool',
    '/account/UPPER',
    '/tx/12',
    '/%',
    '/token/%ff',
    '/toString/1',
  ])
    t.equal(parsePath(path, CHAINS), null, path)
  for (const [prefix, kind, id] of [
    ['', 'tokens', ''],
    ['/telos', 'markets', ''],
    ['/telos', 'account', 'a.b'],
    ['', 'transfer', 'd:1:5'],
  ] as const) {
    const path = pathOf(prefix, kind, id)
    t.same(parsePath(path, CHAINS), { kind, id, chain: prefix === '' ? null : 'telos' }, path)
  }
})

t.test('the chain in the path of the API is that of the request, for configured chains only', async (t) => {
  const { chainOf, without } = chainPrefixes(CHAINS)
  t.equal(chainOf('/telos/api/v2/tokens?x=/wax/api/'), 'telos')
  t.equal(without('/telos/api/v2/tokens'), '/api/v2/tokens')
  for (const url of ['/eos/api/v2/tokens', '/telos/apis', '/telos/pool/1', '/api/v2/tokens', '/', '/telos'])
    t.same([chainOf(url), without(url)], [undefined, url], url)
})

t.test('the form of a text says which pages it can mean', async (t) => {
  const kinds = (text: string) => guesses(text).map(({ kind, id }) => `${kind} ${id}`)
  t.same(kinds('300,007,406'), ['block 300007406'])
  t.same(kinds('#7'), ['block 7'])
  t.same(kinds('1,5'), [], 'no block has decimals')
  t.same(kinds(' Bob '), ['account bob'])
  t.same(kinds('ab'.repeat(32)), [`tx ${'ab'.repeat(32)}`, `block ${'ab'.repeat(32)}`])
  t.same(kinds('0A'.repeat(32)), [`tx ${'0a'.repeat(32)}`, `block ${'0a'.repeat(32)}`])
  t.same(kinds('w:5'), ['transfer w:5'])
  t.same(kinds('<script>'), [])
})

const token = (symbol: string) => ({ id: `${symbol.toLowerCase()}-c`, symbol, contract: 'c' })
const pool = (id: number, a: string, b: string, tvl: number, usd: number, withoutUsd = 0) =>
  poolRow('wax', {
    id,
    fee: 3000,
    tokenA: token(a),
    tokenB: token(b),
    price: { bPerA: id === 3 ? 0 : id, change24h: 0 },
    liquidity: { tvl },
    volume: { usd, withoutUsd },
    apr: { total: 1 },
    incentives: [{ isFinished: id !== 1 }],
  })
const side = (name: string) => ({ id: name, contract: 'c', symbol: { name } })
const ROWS: MarketRow[] = [
  pool(1, 'WAX', 'USDT', 10, 5),
  pool(2, 'TLM', 'WAX', 30, 5),
  pool(3, 'LSW', 'WAX', 20, 9),
  pairRow('wax', {
    id: 1,
    base: side('USDT'),
    quote: side('WAX'),
    feePercent: 0.2,
    price: { last: 36, change24h: null },
    volume: { usd: 1, withoutUsd: 0 },
    orders: { bidDepthUsd: 2, askDepthUsd: 3 },
    tx: { matches: 4 },
  }),
]
const ids = (rows: readonly MarketRow[]) => rows.map(({ kind, id }) => `${kind} ${id}`)

t.test('rows are sorted with unknown values last, and filtered as one types', async (t) => {
  t.same(ids(sorted(ROWS, { column: 'price', isDescending: true })), ['market 1', 'pool 2', 'pool 1', 'pool 3'])
  t.same(ids(sorted(ROWS, { column: 'price', isDescending: false })), ['pool 1', 'pool 2', 'market 1', 'pool 3'])
  t.same(ids(sorted(ROWS, { column: 'name', isDescending: false })), ['pool 3', 'pool 2', 'market 1', 'pool 1'])
  t.same(ids(filtered(ROWS, 'usdt / wax', 'all')), ['pool 1', 'market 1'], 'a pair in either order')
  t.same(ids(filtered(ROWS, 'tl', 'all')), ['pool 2'])
  t.same(ids(filtered(ROWS, '#3', 'all')), ['pool 3'])
  t.same(ids(filtered(ROWS, '', 'farm')), ['pool 1'], 'with a farm that runs')
  t.same(ids(filtered(ROWS, '', 'market')), ['market 1'])
  t.same([ROWS[3]?.liquidity, ROWS[3]?.fee], [5, 0.2])
})

t.test('a price that comes from another answer has not moved', async (t) => {
  const at = (value: number | null, source: string) => ({ value, source })
  t.equal(flashTone(at(0.1336, 'list'), at(0.13360001, 'stream')), '')
  t.equal(flashTone(at(0.1336, 'stream'), at(0.13360001, 'stream')), 'rose')
  t.equal(flashTone(at(0.14, 'stream'), at(0.13, 'stream')), 'fell')
  t.equal(flashTone(at(null, 'list'), at(1, 'list')), '')
})

t.test('a volume is unknown when there were trades and the value of none is known', async (t) => {
  t.equal(knownVolume({ usd: 0, withoutUsd: 0 }), 0)
  t.equal(knownVolume({ usd: 0, withoutUsd: 3 }), null)
  t.equal(knownVolume({ usd: 5, withoutUsd: 3 }), 5)
  const { volume, apr, change } = pool(4, 'ORE', 'GEM', 0, 0, 3)
  t.same({ volume, apr, change }, { volume: null, apr: null, change: 0 }, 'a pool of tokens without a trusted price')
  t.equal(pool(3, 'LOST', 'WAX', 1, 0).change, null, 'no price, no change')
  t.same([reversedChange(25), reversedChange(-50), reversedChange(-100)], [-20, 100, null])
})

t.test('the line of the last day rises where its change is above zero', async (t) => {
  // The last hours fell, and the price is still above that of 24 hours ago.
  const line = dayLine([5, 4, 3], { price: 3, change: 50 })
  t.same(line, [2, 5, 4, 3])
  t.same(dayLine([5, 4, 3], { price: 6, change: -25 }), [8, 5, 4, 6], 'to the price of the row')
  t.same(dayLine([5, 4], { price: null, change: null }), [5, 4])
  t.same(dayLine([], { price: 3, change: 50 }), [])
})

t.test('only rows near the view are drawn', async (t) => {
  t.same(visibleRange(10_000, 50, -300, 1000, 5), { start: 0, end: 19 })
  t.same(visibleRange(10_000, 50, 100_000, 1000, 5), { start: 1995, end: 2025 })
  t.same(visibleRange(3, 50, 100_000, 1000, 5), { start: 3, end: 3 })
})

t.test('orders of a price are one level, sums are exact', async (t) => {
  t.equal(sum('0.1', '0.2'), '0.3')
  t.equal(sum('9999999999999999.99999999', '0.00000001'), '10000000000000000.00000000')
  const order = (price: string, amount: string) => ({ price, amount })
  const { bids, asks, spread, mid } = bookSides(
    [order('9', '1.5'), order('9', '0.25'), order('8', '2')],
    [order('11', '1'), order('12', '6.5')],
    10,
  )
  t.same(bids, [
    { price: '9', amount: '1.75', orders: 2, total: '1.75', share: 1.75 / 7.5 },
    { price: '8', amount: '2', orders: 1, total: '3.75', share: 0.5 },
  ])
  t.equal(asks.at(-1)?.share, 1)
  t.same([mid, spread], [10, 20])
  t.same(bookSides([], [order('11', '1')], 10).spread, null)
})

t.test('liquidity by price is the sum of the positions that cover it', async (t) => {
  const steps = liquiditySteps([
    { tick: -100, net: '18446744073709551615' },
    { tick: 0, net: '5' },
    { tick: 100, net: '-18446744073709551615' },
    { tick: 200, net: '-5' },
    { tick: 300, net: '7' },
    { tick: 400, net: '-7' },
  ])
  t.same(steps, [
    { tickLower: -100, tickUpper: 0, liquidity: 18446744073709551615n },
    { tickLower: 0, tickUpper: 100, liquidity: 18446744073709551620n },
    { tickLower: 100, tickUpper: 200, liquidity: 5n },
    { tickLower: 300, tickUpper: 400, liquidity: 7n },
  ])
  const bars = liquidityBars(
    liquiditySteps([
      { tick: 0, net: '8' },
      { tick: 50, net: '-8' },
    ]),
    10,
    100,
    4,
  )
  t.same(
    bars.map(({ height, isCurrent }) => [height, isCurrent]),
    [
      [0, false],
      [0.25, false],
      [1, true],
      [0, false],
    ],
  )
  t.equal(priceAtTick(0, 8, 6), 100)
})

t.test('the full range is the widest that the spacing allows', async (t) => {
  t.ok(isFullRange(-443_636, 443_636, 1))
  t.ok(isFullRange(-443_580, 443_580, 60))
  t.notOk(isFullRange(-443_520, 443_580, 60))
  t.notOk(isFullRange(-443_580, 443_520, 60))
})

t.test('liquidity by price is not shown without ticks below', async (t) => {
  const ticks = [
    { tick: -100, net: '18446744073709551615' },
    { tick: 0, net: '5' },
    { tick: 100, net: '-18446744073709551615' },
    { tick: 200, net: '-5' },
  ]
  const whole = '18446744073709551620'
  t.ok(isWholeLiquidity(ticks, 0, whole), 'the range begins with its tick')
  t.ok(isWholeLiquidity(ticks, 99, whole))
  t.ok(isWholeLiquidity(ticks, 100, '5'))
  t.ok(isWholeLiquidity([], 7, '0'))
  t.ok(isWholeLiquidity(ticks, -101, '0'))
  t.notOk(isWholeLiquidity(ticks.slice(1), 50, whole), 'too small at the price, and negative above')
  t.notOk(isWholeLiquidity(ticks.slice(1), -50, '0'), 'negative above alone')
  t.notOk(isWholeLiquidity(ticks.slice(0, 1).concat(ticks.slice(2)), 50, whole), 'too small at the price alone')
  t.notOk(isWholeLiquidity(ticks.slice(0, 2), 250, '0'), 'too large, without the ticks above')
})

t.test('steps of a leg name the chain of each transaction', async (t) => {
  const place = (id: string, name: string, chain: string | null) => ({
    ...{ id, name, chain, transactionPage: null },
    domain: { telos: '7', wax: '8' }[id] ?? null,
  })
  const places = [place('telos', 'Telos', 'telos'), place('wax', 'WAX', 'wax'), place('bsc', 'BNB Smart Chain', null)]
  const withdrawal = (to: string, more: Partial<Leg>) =>
    ({
      kind: 'withdrawal',
      from: { chain: 'telos' },
      to: { chain: to },
      src_time: 1,
      src_tx: 'aa',
      dst_time: 2,
      ...more,
    }) as Leg
  const end = (leg: Leg) => {
    const { title, chain, state } = legSteps(leg, places)[1] ?? {}
    return [title, chain, state]
  }
  t.same(end(withdrawal('wax', { status: 'released', dst_tx: 'bb' })), ['Paid out on WAX', 'wax', 'done'])
  t.same(end(withdrawal('bsc', { status: 'released', dst_tx: '0xbb' })), ['Paid out on BNB Smart Chain', 'bsc', 'done'])
  t.same(
    end(withdrawal('bsc', { status: 'released', dst_tx: 'bb' })),
    ['Paid out on BNB Smart Chain', 'telos', 'done'],
    'reported to the ledger, where the destination is not read',
  )
  t.same(end(withdrawal('wax', { status: 'expired', dst_tx: 'bb' })), ['Expired on WAX', 'telos', 'failed'])
  t.same(end(withdrawal('bsc', { status: 'refunded', dst_tx: 'bb' })), ['Refunded on Telos', 'telos', 'failed'])
  t.same(legSteps(withdrawal('wax', { status: 'burned', dst_tx: null }), places).length, 1)
  t.same(
    ['8', '9'].map((domain) => nameOfDomain(places, domain)),
    ['WAX', 'domain 9'],
  )
  t.equal(milliseconds(Number(2n ** 64n - 1n)), null, 'a deadline that no calendar has')
  t.equal(amountText('12345678901234567890', 6, 'USDC'), '12,345,678,901,234.56789 USDC')
  t.equal(amountText('5', null, null), '5 units')
})

t.test('places of the bridge are the configured chains, and others known by name', async (t) => {
  const page = 'https://example.org/{tx}'
  const evm = { chain: 'bsc', chainId: 56, public: { transactionPage: page } }
  const wax = { chain: 'wax', chainId: `00000000000000ff${'0'.repeat(48)}`, public: {} }
  const places = bridgePlaces(['wax'], [evm], [wax])
  const found = (id: string) => places.filter((place) => place.id === id)
  t.same(found('bsc'), [{ id: 'bsc', name: 'BNB Smart Chain', domain: '56', chain: null, transactionPage: page }])
  t.same(
    found('wax'),
    [{ id: 'wax', name: 'wax', domain: '255', chain: 'wax', transactionPage: null }],
    'a chain of another id is not the known one',
  )
  const ofDemo = bridgePlaces(
    ['wax'],
    [
      { ...evm, public: {} },
      { ...evm, chain: 'mainnet', chainId: 1 },
    ],
    [wax],
    '/demo/{tx}',
  )
  const pageOf = (id: string) => ofDemo.find((one) => one.id === id)?.transactionPage
  t.same(['bsc', 'mainnet', 'wax', 'polygon'].map(pageOf), ['/demo/{tx}', page, null, null], 'in a demo, its own page')
  const unnamed = bridgePlaces(['telos'], [], [{ chain: 'telos', public: {} }]).filter(({ id }) => id === 'telos')
  t.match(
    unnamed,
    [{ name: 'Telos', domain: '5073219243131244279', chain: 'telos' }],
    'without an id it is the known one',
  )
  t.match(found('polygon'), [{ name: 'Polygon', domain: '137', chain: null, transactionPage: null }])
})

t.test('a market names the other markets of its pair', async (t) => {
  const [wax, usdt, tlm] = [
    { id: 'wax-eosio.token', contract: 'eosio.token' },
    { id: 'usdt-usdt.svc', contract: 'usdt.svc' },
    { id: 'tlm-alien.worlds', contract: 'alien.worlds' },
  ]
  t.equal(rarer([wax, usdt]), usdt)
  t.equal(rarer([tlm, usdt]), tlm)
  const lists = {
    pools: [
      { id: 0, tokenA: wax, tokenB: usdt, fee: '0.3', active: true },
      { id: 1, tokenA: usdt, tokenB: wax, fee: '0.05', active: true },
      { id: 2, tokenA: usdt, tokenB: wax, fee: '1', active: false },
      { id: 3, tokenA: tlm, tokenB: usdt, fee: '1', active: true },
    ],
    orderbooks: [
      { id: 0, base: wax, quote: usdt },
      { id: 1, base: usdt, quote: tlm },
    ],
  }
  t.same(otherMarkets([wax, usdt], { kind: 'pool', id: 0 }, lists), [
    { kind: 'market', id: 0, label: 'Order book' },
    { kind: 'pool', id: 1, label: 'Pool 0.05%' },
  ])
})

t.test('markets of scams are marked, and the note says how many there are', async (t) => {
  const rows = [pool(1, 'AA', 'BB', 1, 1), pool(2, 'AA', 'CC', 1, 1)]
  t.same(
    withScams(rows, new Set(['cc-c'])).map(({ isScam }) => isScam),
    [false, true],
  )
  t.equal(scamNote(1, false), '1 market is not listed: one of its tokens is on the scam list.')
  t.equal(scamNote(2, true), '2 markets are marked as scam: one of their tokens is on the scam list.')
})

t.test('symbols of more than one token are found', async (t) => {
  t.same([...repeatedSymbols(['USDT', 'WAX', 'USDT', 'USDT', 'ETH'])], ['USDT'])
})
