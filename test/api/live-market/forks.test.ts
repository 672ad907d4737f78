// Forks of any depth, with hours between blocks. Afterwards the market and its lists, rankings and sums equal a market that
// is loaded from the database, and nothing was loaded again.
import t from 'tap'
import { historyOf } from '../../../api/analytics/hour-history.ts'
import { totalsOf } from '../../../api/analytics/totals.ts'
import type { ChainContext } from '../../../api/chain-context.ts'
import { pairsList as ammPairs, tickersList as ammTickers } from '../../../api/exchange/amm-feed/lists.ts'
import { poolsList } from '../../../api/exchange/pools/list.ts'
import { pairsList, tickersList } from '../../../api/exchange/spot/lists.ts'
import { tokensList } from '../../../api/exchange/tokens/token.ts'
import { type MarketType, RecentTrades } from '../../../api/feed/recent-trades.ts'
import { SILENT } from '../../../api/http/log.ts'
import { poolTrades } from '../../../api/kit/trades/pool-trades.ts'
import { spotTrades } from '../../../api/kit/trades/spot-trades.ts'
import { type ListOf, listPieces } from '../../../api/lists/live-list.ts'
import { LiveMarket } from '../../../api/live-market/live-market.ts'
import type { MarketState } from '../../../api/live-market/model.ts'
import { WINDOW_NAMES } from '../../../api/live-market/rolling.ts'
import { BOOKS, POOLS, TOKENS } from '../../../api/market/lists.ts'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { DecimalNumber } from '../../../indexer/store/copy/numeric.ts'
import type { LedgerRow, ProjectedBlock, StateRow, TouchedCandle } from '../../../indexer/store/rows.ts'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { everyOrder } from '../analytics/every-order.ts'
import { facts } from './facts.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')

interface Header {
  num: number
  id: string
  time: number
  /** Pools that exist after the block. */
  pools: number[]
  /** Fee of the market; null while it is closed. */
  fee: number | null
}

/** Adds blocks with swaps, deals, orders and new pools, and closes and opens a market; a fork replaces the last blocks. */
class Branches {
  private readonly random: Random
  private branch = 0
  private sequence = 0n
  readonly headers: Header[] = [{ num: 1, id: '00'.repeat(32), time: START, pools: [], fee: null }]
  lib = 1

  constructor(random: Random) {
    this.random = random
  }

  /** @param depth  number of blocks that the fork removes first */
  next(depth: number): ProjectedBlock {
    if (depth > 0) this.branch++
    this.headers.splice(this.headers.length - depth)
    const parent = this.headers.at(-1) as Header
    const num = parent.num + 1
    const time = parent.time + 500 * this.random.integer(1, 20 * 7200)
    const id = num.toString(16).padStart(8, '0') + this.branch.toString(16).padStart(56, '0')
    const pools = [...parent.pools]
    const header = { chain: 'wax', blockNum: num, blockId: id, prevId: parent.id, blockTime: time, producer: 'prod' }
    const rows = { ledger: [{ table: 'blocks', row: header }] as LedgerRow[], state: [] as StateRow[] }
    const candles: TouchedCandle[] = []
    const fee = this.nextFee(parent)
    if (fee !== parent.fee) {
      rows.state.push(marketRow(fee ?? 0, fee !== null))
      const rate = { chain: 'wax', marketId: 0n, blockNum: num, blockTime: time, fee, ...MARKET_TOKENS }
      if (fee !== null) rows.ledger.push({ table: 'market_fees', row: rate })
    }
    if (pools.length < 3 || this.random.chance(0.15)) pools.push(this.create(pools.length, num, time, rows))
    for (const pool of pools) if (this.random.chance(0.4)) candles.push(this.swap(pool, num, time, rows))
    // A market may have its last deal in the block that closes it.
    if ((parent.fee ?? fee) !== null && this.random.chance(0.4)) candles.push(this.deal(num, time, rows))
    if (fee !== null && this.random.chance(0.5)) rows.state.push(this.order())
    this.headers.push({ num, id, time, pools, fee })
    return { num, id, prevId: parent.id, time, producer: 'prod', lib: this.lib, head: num, ...rows, candles }
  }

  private nextFee({ num, fee }: Header): number | null {
    if (num === 1) return 20
    if (fee === null) return this.random.chance(0.4) ? 35 : null
    if (this.random.chance(0.12)) return null
    return this.random.chance(0.1) ? fee + 5 : fee
  }

  private at(num: number, time: number) {
    const globalSeq = ++this.sequence
    return { chain: 'wax', blockNum: num, blockTime: time, globalSeq, trxId: globalSeq.toString(16).padStart(64, '0') }
  }

  private price(): bigint {
    return (1n << 63n) + this.random.bigint(1n << 64n)
  }

  private usd(): DecimalNumber {
    return new DecimalNumber(this.random.bigint(10n ** 12n), 8)
  }

  private create(pool: number, num: number, time: number, rows: { ledger: LedgerRow[]; state: StateRow[] }): number {
    const sqrtPriceX64 = this.price()
    // The same number may be another pool on another branch.
    const token = `T${'ABCDEFGH'[this.branch % 8]}${'ABCDEFGH'[pool % 8]}`
    const tokens = {
      contractA: 'token.svc',
      symbolA: token,
      decimalsA: 4,
      contractB: 'eosio.token',
      symbolB: 'WAX',
      decimalsB: 8,
    }
    const row = { poolId: BigInt(pool), ...tokens, fee: 3000, feeProtocol: 0, tickSpacing: 60, sqrtPriceX64, tick: 0 }
    rows.ledger.push({ table: 'pool_creations', at: this.at(num, time), row })
    rows.state.push({ table: 'pools', row: { ...poolRow(pool, sqrtPriceX64, 10n ** 12n), ...tokens }, present: true })
    this.known.set(pool, tokens)
    return pool
  }

  private readonly known = new Map<number, object>()

  private swap(
    pool: number,
    num: number,
    time: number,
    rows: { ledger: LedgerRow[]; state: StateRow[] },
  ): TouchedCandle {
    const sqrtPriceX64 = this.price()
    const amountA = 1n + this.random.bigint(1_000_000n)
    const reserve = 10n ** 12n + this.random.bigint(10n ** 12n)
    const amounts = { amountA, amountB: -amountA, decimalsA: 4, decimalsB: 8, reserveA: reserve, reserveB: reserve }
    const row = {
      poolId: BigInt(pool),
      sender: 'alice',
      recipient: 'bob',
      ...amounts,
      sqrtPriceX64,
      liquidity: 5n,
      tick: 0,
    }
    rows.ledger.push({ table: 'swaps', at: this.at(num, time), row: { ...row, usd: this.usd() } })
    const state = { ...poolRow(pool, sqrtPriceX64, reserve), ...this.known.get(pool) }
    const before = rows.state.findIndex(
      (one) => one.table === 'pools' && (one.row as { poolId: bigint }).poolId === BigInt(pool),
    )
    if (before >= 0) rows.state.splice(before, 1)
    rows.state.push({ table: 'pools', row: state, present: true })
    return { kind: 'amm', id: BigInt(pool), minute: time - (time % 60_000) }
  }

  private deal(num: number, time: number, rows: { ledger: LedgerRow[] }): TouchedCandle {
    const amounts = { amountBase: 1n + this.random.bigint(1000n), amountTarget: 7n, decimalsBase: 4, decimalsTarget: 8 }
    const parties = { type: 'buymatch', bidder: 'alice', asker: 'bob' }
    const row = { marketId: 0n, ...parties, ...amounts, unitPrice: 1n + this.random.bigint(10n ** 9n), usd: this.usd() }
    const fee = { feeAmount: null, feeSymbol: null, feeDecimals: null }
    rows.ledger.push({ table: 'deals', at: this.at(num, time), row: { ...row, ...fee } })
    return { kind: 'spot', id: 0n, minute: time - (time % 60_000) }
  }

  private order(): StateRow {
    const isBuy = this.random.chance(0.5)
    const bid = {
      bidAmount: 1n + this.random.bigint(10n ** 6n),
      bidSymbol: isBuy ? 'WAX' : 'TLM',
      bidDecimals: isBuy ? 8 : 4,
    }
    const ask = {
      askAmount: 1n + this.random.bigint(10n ** 6n),
      askSymbol: isBuy ? 'TLM' : 'WAX',
      askDecimals: isBuy ? 4 : 8,
    }
    const key = { marketId: 0n, side: isBuy ? 'buy' : 'sell', orderId: this.random.bigint(20n) }
    const row = {
      ...key,
      account: 'alice',
      ...bid,
      ...ask,
      unitPrice: 1n + this.random.bigint(1000n),
      orderTime: TimePoint.ofMs(START),
    }
    return { table: 'orders', row, present: this.random.chance(0.7) }
  }
}

function poolRow(pool: number, sqrtPriceX64: bigint, reserve: bigint) {
  const fees = { feeGrowthGlobalAX64: 1n, feeGrowthGlobalBX64: 2n, protocolFeeA: 0n, protocolFeeB: 0n }
  const observation = {
    lastObservation: TimePoint.ofMs(START),
    observationNum: 1n,
    maxObservationNum: 1n,
    maxLiquidityPerTick: 1000n,
  }
  const settings = { active: true, fee: 3000, feeProtocol: 0, tickSpacing: 60, tick: 0, liquidity: 5n }
  return {
    poolId: BigInt(pool),
    reserveA: reserve,
    reserveB: reserve,
    sqrtPriceX64,
    ...fees,
    ...observation,
    ...settings,
  }
}

const MARKET_TOKENS = {
  ...{ baseContract: 'alien.worlds', baseSymbol: 'TLM', baseDecimals: 4 },
  ...{ targetContract: 'eosio.token', targetSymbol: 'WAX', targetDecimals: 8 },
}

function marketRow(fee: number, present: boolean): StateRow {
  const least = { minBuy: 1n, minBuyDecimals: 8, minSell: 1n, minSellDecimals: 4 }
  return { table: 'markets', row: { marketId: 0n, ...MARKET_TOKENS, ...least, frozen: false, fee }, present }
}

/** The maker of each list of the HTTP API, by name. */
function everyList(): Record<string, (market: LiveMarket) => Buffer> {
  const lists: Record<string, ListOf<never, never>> = {
    pools: poolsList('wax', { tokens: [], hideScam: false }),
    'pools of a token': poolsList('wax', { tokens: ['wax-eosio.token'], hideScam: true }),
    'AMM pairs': ammPairs({}),
    'AMM tickers': ammTickers({}, 'https://site.example'),
    pairs: pairsList({}),
    tickers: tickersList(false, 'https://site.example'),
    tokens: tokensList(false),
    'tokens of the market API': TOKENS,
    'pools of the market API': POOLS,
    'markets of the market API': BOOKS,
  } as unknown as Record<string, ListOf<never, never>>
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [
      name,
      (market) => Buffer.concat(listPieces(market, market.state as MarketState, list)),
    ]),
  )
}

/** Fewer than a pool has in the end. */
const NEWEST = 20

function idsOf({ state }: LiveMarket, type: MarketType): number[] {
  return state === null ? [] : [...(type === 'amm' ? state.pools : state.books).keys()]
}

/** The newest trades of each market, from the database. */
async function readNewest({ pool, market }: ChainContext, type: MarketType) {
  const trades = idsOf(market, type).map((id) =>
    type === 'amm' ? poolTrades(pool, 'wax', [id], { limit: NEWEST }) : spotTrades(pool, 'wax', id, { limit: NEWEST }),
  )
  return (await Promise.all(trades)).map((page) =>
    page?.rows.map(({ id, side, price, baseVolume, targetVolume, time, trxId }) => ({
      ...{ id, side, price, baseVolume, targetVolume, time, trxId },
    })),
  )
}

t.test('after a fork the market is as if it had been loaded, without loading it', async (t) => {
  const { url, pool } = await testDatabase(t)
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const chain = new Branches(random)
  const writer = await ChainWriter.open({ chain: 'wax', databaseUrl: url, chainId: null })
  t.teardown(() => writer.close())
  const config = testChain('wax', 'dev', {
    price: { source: 'fixed', usd: 0.05, decimals: 4, fallbacks: [], maxAgeMinutes: 1440 },
  })
  const market = new LiveMarket(pool, config, SILENT)
  let loads = 0
  market.listen((_, changes) => {
    if (changes === null) loads++
  })
  const write = async (depth: number) => {
    const batch = writer.newBatch()
    batch.add(chain.next(depth))
    await writer.commit(batch)
  }
  for (let i = 0; i < 20; i++) await write(0)
  await pool.query(`select meta.build_indexes('wax')`)
  // No fork reaches below the block at which the market is loaded.
  chain.lib = (chain.headers.at(-1) as Header).num + 1
  await write(0)
  await market.catchUp()
  const context = { chain: 'wax', pool, market, config } as unknown as ChainContext
  const lists = Object.entries({ ...everyList(), ...everyOrder() })
  const totals = totalsOf(market)
  const recent = new RecentTrades(context)
  const newestOf = async (type: MarketType) => {
    const ids = idsOf(market, type)
    await recent.bring(type, ids)
    return ids.map((id) => recent.find(type, id, { limit: NEWEST }))
  }
  let [forks, closed] = [0, 0]
  for (let i = 0; i < 90; i++) {
    const reversible = (chain.headers.at(-1) as Header).num - chain.lib
    // The first branch may have more or fewer blocks than the new one.
    const depth = random.chance(0.3) ? random.integer(0, Math.min(reversible, 12)) : 0
    if (depth > 0) forks++
    for (let blocks = random.integer(1, depth + 2), first = depth; blocks > 0; blocks--, first = 0) await write(first)
    if (random.chance(0.2)) chain.lib = Math.max(chain.lib, (chain.headers.at(-1) as Header).num - 15)
    await market.catchUp()
    const { changed, pools, books, at } = market.state as MarketState
    const named = [...changed.tokens.values(), changed.pools, changed.books, changed.tokenSet, changed.everything]
    const marks = [...named, ...[...pools.values(), ...books.values()].map((one) => one.changed)]
    const branch = new Set(chain.headers.map(({ id }) => id))
    t.ok(
      marks.every(({ id, block }) => branch.has(id) && block <= at.block),
      `seed ${seed}, step ${i}: last changes are of blocks that there are`,
    )
    for (const type of ['amm', 'orderbook'] as const)
      t.same(await newestOf(type), await readNewest(context, type), `seed ${seed}, step ${i}: newest trades, ${type}`)
    const { history } = await historyOf(context)
    t.same(history.open, (await historyOf({ ...context })).history.open, `seed ${seed}, step ${i}: hours`)
    if (i % 4 > 0) continue
    const fresh = new LiveMarket(pool, config, SILENT)
    await fresh.catchUp()
    t.same(facts(market.state), facts(fresh.state), `seed ${seed}, step ${i}`)
    closed += fresh.state?.closedBooks.size ?? 0
    for (const window of WINDOW_NAMES)
      t.same(
        totals.stats(market.state as MarketState, window),
        totalsOf(fresh).stats(fresh.state as MarketState, window),
        `seed ${seed}, step ${i}: totals of ${window}`,
      )
    for (const [name, list] of lists)
      t.equal(`${list(market)}`, `${list(fresh)}`, `seed ${seed}, step ${i}: the list of ${name}`)
  }
  t.same((await market.audit())?.differences, [], 'its own audit finds the same')
  t.ok(forks > 15, `${forks} forks`)
  t.ok(closed > 0, `the market was closed at ${closed} looks`)
  t.equal(loads, 1, 'loaded once')
})
