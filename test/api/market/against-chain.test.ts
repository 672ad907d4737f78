// The market API after random blocks, compared with the tables of the chain's contracts: prices, values and books are
// recomputed here from the rows, with doubles.

import t, { type Test } from 'tap'
import type { ActionCall } from '../../../devnet/chain/contract.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import type { PoolRow } from '../../../devnet/contracts/amm/rows.ts'
import { type MarketRow, marketScope, type OrderRow } from '../../../devnet/contracts/dex.ts'
import { AMM, DEX } from '../../../devnet/contracts/exchange.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { LiveExchange } from './stream/live-exchange.ts'

const WAX = 'wax-eosio.token'
/** USD per WAX. */
const USD = 1
/** 100 USD in WAX. */
const THRESHOLD = 100 / USD
const ROUNDS = 8
const CODES = ['WAX', 'USDT', 'TLM', 'LSW', 'EOS', 'ORE', 'GEM', 'USDC', 'ETH']

interface Side {
  token: string
  decimals: number
  held: number
}

interface Pool {
  row: PoolRow
  sides: [Side, Side]
  /** Whole B per whole A. */
  price: number
}

interface Price {
  price: number
  width: number
}

/** A decimal without exponent and without trailing zeros. */
const FORM = /^(0|[1-9]\d*)(\.\d*[1-9])?$/

function isNear(t: Test, text: string | null, expected: number | null, what: string): void {
  if (expected === null || text === null) return void t.equal(text, expected, what)
  const digits = text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
  const isText = FORM.test(text) && digits.length <= 8
  const isClose = expected === 0 ? text === '0' : Math.abs(Number(text) / expected - 1) < 6e-8
  if (!isText || !isClose) t.fail(`${what}: ${text}, ${expected} expected`)
}

function poolsOf({ chain }: LiveExchange): Pool[] {
  return chain
    .tables(AMM)
    .rows<PoolRow>('pools', AMM)
    .map((row) => {
      const [a, b] = [row.tokenA, row.tokenB].map(({ quantity: { amount, precision, symbol }, contract }) => ({
        token: `${symbol.toLowerCase()}-${contract}`,
        decimals: precision,
        held: Number(amount) / 10 ** precision,
      })) as [Side, Side]
      const root = Number(row.currSlot.sqrtPriceX64) / 2 ** 64
      return { row, sides: [a, b], price: root * root * 10 ** (a.decimals - b.decimals) }
    })
}

/** Widest path to every token: takes the best of all possible extensions, repeatedly. */
function pricesOf(pools: readonly Pool[]): Map<string, Price> {
  const prices = new Map<string, Price>([[WAX, { price: 1, width: Number.POSITIVE_INFINITY }]])
  for (;;) {
    let best: (Price & { token: string }) | null = null
    for (const { row, sides, price } of pools) {
      if (!row.active || row.liquidity === 0n) continue
      for (const [from, to, rate] of [
        [sides[0], sides[1], 1 / price],
        [sides[1], sides[0], price],
      ] as const) {
        const known = prices.get(from.token)
        if (known === undefined || prices.has(to.token)) continue
        const value = from.held * known.price
        const width = Math.min(value, known.width)
        if (value >= THRESHOLD && (best === null || width > best.width))
          best = { token: to.token, price: known.price * rate, width }
      }
    }
    if (best === null) return prices
    prices.set(best.token, best)
  }
}

const seed = seedFromEnvironment()
t.test(`random blocks, seed ${seed}`, async (t) => {
  const random = new Random(seed)
  const live = await LiveExchange.start(t)
  const get = async (path: string) => (await live.api.get(`/api/v3/market/${path}`)).body

  const change = (): ActionCall[] => {
    const [input, output] = [random.pick(CODES), random.pick(CODES)]
    const usd = 10 ** (random.next() * 4)
    const whole = (code: string, share: number) => Math.ceil((usd * share) / live.token(code).usd)
    const isOf = (code: string) => (side: Side) => side.token.startsWith(`${code.toLowerCase()}-`)
    const pools = poolsOf(live).filter(({ sides }) => sides.some(isOf(input)) && sides.some(isOf(output)))
    const kind = random.integer(0, 9)
    if (kind < 5 && input !== output && pools.length > 0)
      return live.swap(input, output, whole(input, 1), [Number(random.pick(pools).row.id)])
    if (kind === 8)
      return [call(AMM, 'lockpool', AMM, { poolId: BigInt(random.integer(0, 11)), active: random.chance(0.7) })]
    if (kind === 9)
      return [call(DEX, 'setfrozen', DEX, { market_id: BigInt(random.integer(0, 3)), frozen: random.chance(0.5) })]
    const other = random.pick(['TLM', 'USDT', 'GEM', 'LSW'])
    const [offered, wanted] = random.chance(0.5) ? [other, 'WAX'] : ['WAX', other]
    return live.order(offered, whole(offered, 1), wanted, whole(wanted, 0.9 + random.next() * 0.3))
  }
  /** Makes a block with a random transaction, unless the contracts refuse it. */
  const block = () => void live.chain.produce({ transactions: [change()], certificate: 'none' })

  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < 25; i++) block()
    if (round % 3 === 2) {
      live.chain.fork(10)
      for (let i = 0; i < 12; i++) block()
    }
    await live.caughtUp()
    const pools = poolsOf(live)
    const prices = pricesOf(pools)
    await t.test(`MKT-03 MKT-04 MKT-07 MKT-08 tokens, round ${round}`, async (t) => {
      const { block, systemUsdPrice, tokens } = await get('tokens')
      t.equal(block, live.chain.head.num)
      t.equal(systemUsdPrice, String(USD))
      for (const one of tokens) {
        const known = prices.get(one.id)
        const width = known === undefined || one.id === WAX ? null : known.width
        isNear(t, one.price, known?.price ?? null, `price of ${one.id}`)
        isNear(t, one.priceUsd, known === undefined ? null : known.price * USD, `USD price of ${one.id}`)
        isNear(t, one.liquidity, width, `liquidity of ${one.id}`)
        isNear(t, one.liquidityUsd, width === null ? null : width * USD, `USD liquidity of ${one.id}`)
        t.equal(one.pools, pools.filter(({ sides }) => sides.some(({ token }) => token === one.id)).length, one.id)
      }
      t.ok([...prices.keys()].every((id) => tokens.some((one: { id: string }) => one.id === id)))
      const rank = ({ id, liquidity }: { id: string; liquidity: string | null }) =>
        id === WAX ? Number.POSITIVE_INFINITY : Number(liquidity ?? -1)
      t.ok(tokens.every((one: never, i: number) => i === 0 || rank(tokens[i - 1]) >= rank(one)))
    })

    await t.test(`MKT-13 mids, round ${round}`, async (t) => {
      for (let i = 0; i < 10; i++) {
        const [base, quote] = [random.pick(pools), random.pick(pools)].map(({ sides }) => random.pick(sides).token)
        const [left, right] = [prices.get(base!), prices.get(quote!)]
        const mid = left === undefined || right === undefined ? null : left.price / right.price
        isNear(t, (await get(`price?base=${base}&quote=${quote}`)).mid, mid, `${base} in ${quote}`)
      }
    })

    await t.test(`MKT-27 pools, round ${round}`, async (t) => {
      const answer = await get('pools')
      t.equal(answer.pools.length, pools.length)
      for (const [i, { row, sides, price }] of pools.entries()) {
        const shown = answer.pools[i]
        const [a, b] = sides.map(({ token }) => prices.get(token)?.price)
        const tvl = a === undefined || b === undefined ? null : sides[0].held * a + sides[1].held * b
        isNear(t, shown.price, price, `price of pool ${i}`)
        isNear(t, shown.tvl, tvl, `tvl of pool ${i}`)
        isNear(t, shown.tvlUsd, tvl === null ? null : tvl * USD, `USD tvl of pool ${i}`)
        t.match(shown, {
          id: Number(row.id),
          active: row.active,
          tokenA: { id: sides[0].token, decimals: sides[0].decimals },
          tokenB: { id: sides[1].token, decimals: sides[1].decimals },
          fee: { 500: '0.05', 3000: '0.3', 10000: '1' }[row.fee],
          tickSpacing: row.tickSpacing,
          sqrtPriceX64: String(row.currSlot.sqrtPriceX64),
          tick: row.currSlot.tick,
          liquidity: String(row.liquidity),
        })
        for (const [held, { quantity }] of [
          [shown.reserveA, row.tokenA],
          [shown.reserveB, row.tokenB],
        ] as const) {
          t.equal(held.replace('.', '').replace(/^0+(?=\d)/, ''), String(quantity.amount))
          t.equal(held.split('.')[1]?.length ?? 0, quantity.precision)
        }
        t.same((await get(`pools/${row.id}`)).pool, shown)
      }
    })

    await t.test(`MKT-29 MKT-30 MKT-31 MKT-32 MKT-33 order books, round ${round}`, async (t) => {
      const tables = live.chain.tables(DEX)
      const markets = tables.rows<MarketRow>('markets', DEX)
      const { orderbooks } = await get('orderbooks')
      t.equal(orderbooks.length, markets.length)
      for (const [i, { id, base_token: base, quote_token: quote, frozen }] of markets.entries()) {
        const side = (table: string, sign: number) =>
          [...tables.rows<OrderRow>(table, marketScope(id))].sort((x, y) =>
            x.unit_price === y.unit_price ? Number(x.id - y.id) : sign * Number(x.unit_price - y.unit_price),
          )
        const [buys, sells] = [side('buyorder', -1), side('sellorder', 1)]
        const { bids, asks, ...rest } = (await get(`orderbooks/${id}`)).orderbook
        t.same(rest, orderbooks[i])
        t.match(rest, {
          id: Number(id),
          base: { symbol: base.sym.code, contract: base.contract, decimals: base.sym.precision },
          quote: { symbol: quote.sym.code, contract: quote.contract, decimals: quote.sym.precision },
          fee: '0.2',
          frozen,
        })
        isNear(t, rest.bestBid, buys[0] === undefined ? null : Number(buys[0].unit_price) / 1e8, `bid of ${id}`)
        isNear(t, rest.bestAsk, sells[0] === undefined ? null : Number(sells[0].unit_price) / 1e8, `ask of ${id}`)
        for (const [shown, rows] of [
          [bids, buys.map(({ unit_price, ask }) => ({ unit_price, amount: ask.amount }))],
          [asks, sells.map(({ unit_price, bid }) => ({ unit_price, amount: bid.amount }))],
        ] as const) {
          t.equal(shown.length, Math.min(20, rows.length))
          for (const [k, order] of shown.entries()) {
            isNear(t, order.price, Number(rows[k]!.unit_price) / 1e8, `order ${k} of ${id}`)
            t.equal(Math.round(Number(order.amount) * 10 ** quote.sym.precision), Number(rows[k]!.amount))
          }
        }
      }
    })
  }
})
