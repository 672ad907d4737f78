// A chain of a hundred days with quiet stretches, written into the tables from a seed; recordings cover only minutes. The
// database makes the candles from the trades; expectations are computed from the trades only.
import type { Pool } from 'pg'
import type { Scene } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A Wednesday morning, 18.5 seconds after a full minute. */
export const NOW = Date.parse('2026-03-18T09:41:17.500Z')

export interface Token {
  contract: string
  symbol: string
  decimals: number
}

export const WAX: Token = { contract: 'eosio.token', symbol: 'WAX', decimals: 8 }
export const TLM: Token = { contract: 'alien.worlds', symbol: 'TLM', decimals: 4 }
export const USDT: Token = { contract: 'usdt.svc', symbol: 'USDT', decimals: 6 }
export const NFT: Token = { contract: 'nfts.dev', symbol: 'NFT', decimals: 0 }

export const id = ({ symbol, contract }: Token) => `${symbol.toLowerCase()}-${contract}`

interface ScenePool {
  pool: number
  a: Token
  b: Token
  fee: number
  active: boolean
  reserves: [bigint, bigint]
  /** Number of swaps; 0: never traded. */
  swaps: number
  created: number
}

/** Pool 1 has most of its pair's liquidity and is inactive; pool 3 has the pair of market 1 reversed. */
export const POOLS: ScenePool[] = [
  {
    pool: 0,
    a: TLM,
    b: WAX,
    fee: 3000,
    active: true,
    reserves: [5_000_000_0000n, 1_200_000_00000000n],
    swaps: 500,
    created: NOW - 97 * DAY,
  },
  {
    pool: 1,
    a: TLM,
    b: WAX,
    fee: 500,
    active: false,
    reserves: [90_000_000_0000n, 21_000_000_00000000n],
    swaps: 40,
    created: NOW - 60 * DAY,
  },
  {
    pool: 2,
    a: TLM,
    b: WAX,
    fee: 10000,
    active: true,
    reserves: [900_0000n, 210_00000000n],
    swaps: 120,
    created: NOW - 30 * DAY,
  },
  {
    pool: 3,
    a: WAX,
    b: USDT,
    fee: 3000,
    active: true,
    reserves: [900_000_00000000n, 45_000_000000n],
    swaps: 400,
    created: NOW - 95 * DAY,
  },
  { pool: 4, a: WAX, b: NFT, fee: 3000, active: true, reserves: [0n, 0n], swaps: 0, created: NOW - 3 * DAY },
]

interface SceneMarket {
  market: number
  base: Token
  target: Token
  frozen: boolean
  deals: number
  /** Minimum age of the newest deal. */
  quiet: number
}

/** Market 1 has not traded for two days, market 2 never. */
export const MARKETS: SceneMarket[] = [
  { market: 0, base: TLM, target: WAX, frozen: false, deals: 400, quiet: 0 },
  { market: 1, base: USDT, target: WAX, frozen: true, deals: 60, quiet: 2 * DAY },
  { market: 2, base: NFT, target: WAX, frozen: false, deals: 0, quiet: 0 },
]

const ACCOUNTS = ['alice', 'bob', 'carol', 'dave', 'swap.svc']

/** The chain `wax`, for `testDatabase`. */
export const WAX_SCENE: Scene = { name: 'exchange', write: ({ pool }) => writeScene(pool, 'wax') }

/** Writes the chain into the tables. */
export async function writeScene(pool: Pool, chain: string): Promise<void> {
  const random = new Random(seedFromEnvironment())
  await pool.query('select meta.add_chain($1)', [chain])
  for (const one of POOLS) await writePool(pool, chain, one)
  for (const one of MARKETS) await writeMarket(pool, chain, one)
  const trades = [...swapsOf(random), ...dealsOf(random)].sort((x, y) => x.time - y.time)
  trades.forEach((trade, place) => {
    Object.assign(trade, { place, block: 1000 + Math.floor((trade.time - (NOW - 100 * DAY)) / 500) })
  })
  await writeSwaps(
    pool,
    chain,
    trades.filter(({ kind }) => kind === 'amm'),
  )
  await writeDeals(
    pool,
    chain,
    trades.filter(({ kind }) => kind === 'spot'),
  )
  await writeOrders(pool, chain, random)
  await pool.query(
    `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
     select $1, num, sha256(int8send(num)), sha256(int8send(num - 1)), min(time), 'eosio'
     from (select block_num, block_time from ledger.swaps union all select block_num, block_time from ledger.deals) t(num, time)
     group by num`,
    [chain],
  )
  await pool.query(
    `select meta.refresh_candles($1, array_agg(kind), array_agg(id), array_agg(minute), null) from (
       select distinct 'amm' as kind, pool_id as id, date_trunc('minute', block_time) as minute from ledger.swaps where chain = $1
       union select distinct 'spot', market_id, date_trunc('minute', block_time) from ledger.deals where chain = $1) t`,
    [chain],
  )
  await pool.query(
    `insert into meta.position (chain, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
     values ($1, 2, 99000000, repeat('5e', 32), $2, 99000000, 99000000, gen_random_uuid(), true)`,
    [chain, new Date(NOW)],
  )
  await pool.query('select meta.build_indexes($1)', [chain])
}

interface SceneTrade {
  kind: 'amm' | 'spot'
  id: number
  time: number
  place: number
  block: number
  seller: string
  buyer: string
  amounts: [bigint, bigint]
  price: bigint
  usd: string | null
  isBuy: boolean
}

/** Times on half seconds: bursts, days without a trade, a tenth in the last day, and one on the very first second of it. */
function times(random: Random, count: number, since: number, until: number): number[] {
  if (count === 0) return []
  const found = [since, until - DAY < since ? until : until - DAY]
  while (found.length < count) {
    const near = random.chance(0.15)
    const start = near ? Math.max(since, until - 26 * HOUR) : since
    const time = start + Math.floor(random.next() * (until - start))
    found.push(time)
    for (let burst = random.integer(0, 4); burst > 0 && found.length < count; burst--) {
      found.push(Math.min(until, time + random.integer(0, 90_000)))
    }
  }
  return found.map((time) => Math.floor(time / 500) * 500)
}

function* swapsOf(random: Random): Generator<SceneTrade> {
  for (const { pool, a, b, swaps, created } of POOLS) {
    let root = rootOf(a, b)
    for (const time of times(random, swaps, created + 7 * HOUR + 500, NOW)) {
      root += (root * BigInt(random.integer(-300, 300))) / 10_000n
      const isBuy = random.chance(0.5)
      const amounts: [bigint, bigint] = [random.bigint(10n ** 11n) + 1n, random.bigint(10n ** 12n) + 1n]
      yield {
        ...trade(random, 'amm', pool, time, isBuy),
        amounts: isBuy ? [-amounts[0], amounts[1]] : [amounts[0], -amounts[1]],
        price: root,
      }
    }
  }
}

function* dealsOf(random: Random): Generator<SceneTrade> {
  for (const { market, deals, quiet } of MARKETS) {
    for (const time of times(random, deals, NOW - 96 * DAY, NOW - quiet)) {
      const price = 20_000_000n + random.bigint(10_000_000n)
      yield {
        ...trade(random, 'spot', market, time, random.chance(0.5)),
        amounts: [random.bigint(10n ** 9n) + 1n, random.bigint(10n ** 10n) + 1n],
        price,
      }
    }
  }
}

function trade(random: Random, kind: 'amm' | 'spot', market: number, time: number, isBuy: boolean) {
  const usd = random.chance(0.9) ? `${random.integer(0, 999)}.${random.integer(10_000_000, 99_999_999)}` : null
  return {
    kind,
    id: market,
    time,
    place: 0,
    block: 0,
    isBuy,
    usd,
    seller: random.pick(ACCOUNTS),
    buyer: random.pick(ACCOUNTS),
  }
}

/** About 0.2 whole B for one whole A. */
function rootOf(a: Token, b: Token): bigint {
  return BigInt(Math.round(Math.sqrt(0.2 * 10 ** (b.decimals - a.decimals)) * 2 ** 52)) << 12n
}

async function writePool(database: Pool, chain: string, { pool, a, b, fee, active, reserves, created }: ScenePool) {
  const root = rootOf(a, b).toString()
  const tokens = [a.contract, a.symbol, a.decimals, b.contract, b.symbol, b.decimals]
  await database.query(
    `insert into state.pools (chain, pool_id, active, contract_a, symbol_a, decimals_a, contract_b, symbol_b, decimals_b, reserve_a,
       reserve_b, fee, fee_protocol, tick_spacing, max_liquidity_per_tick, sqrt_price_x64, tick, last_observation, observation_num,
       max_observation_num, fee_growth_global_a_x64, fee_growth_global_b_x64, protocol_fee_a, protocol_fee_b, liquidity)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, 60, 1, $13, 0, now(), 1, 1, 0, 0, 0, 0, $14)`,
    [chain, pool, active, ...tokens, reserves[0], reserves[1], fee, root, reserves[0] === 0n ? 0 : 1_000_000],
  )
  await database.query(
    `insert into ledger.pool_creations (chain, pool_id, block_time, global_seq, block_num, trx_id, contract_a, symbol_a, decimals_a,
       contract_b, symbol_b, decimals_b, fee, fee_protocol, tick_spacing, sqrt_price_x64, tick)
     values ($1, $2, $3, $4, 3, sha256('pool'), $5, $6, $7, $8, $9, $10, $11, 0, 60, $12, 0)`,
    [chain, pool, new Date(created), pool, ...tokens, fee, root],
  )
}

async function writeMarket(database: Pool, chain: string, { market, base, target, frozen }: SceneMarket) {
  await database.query(
    `insert into state.markets (chain, market_id, base_contract, base_symbol, base_decimals, target_contract, target_symbol,
       target_decimals, min_buy, min_buy_decimals, min_sell, min_sell_decimals, frozen, fee)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 1234567890, $8, 15, $5, $9, 20)`,
    [chain, market, base.contract, base.symbol, base.decimals, target.contract, target.symbol, target.decimals, frozen],
  )
}

/** Parallel arrays of the columns that swaps and deals share. */
function columns(trades: readonly SceneTrade[]): unknown[] {
  return [
    trades.map((one) => one.id),
    trades.map((one) => new Date(one.time)),
    trades.map((one) => 100_000 + 3 * one.place),
    trades.map((one) => one.block),
    trades.map((one) => one.seller),
    trades.map((one) => one.buyer),
    trades.map((one) => one.amounts[0].toString()),
    trades.map((one) => one.amounts[1].toString()),
    trades.map((one) => one.price.toString()),
    trades.map((one) => one.usd),
    trades.map((one) => one.isBuy),
  ]
}

const TRADES = `unnest($2::int8[], $3::timestamptz[], $4::int8[], $5::int8[], $6::text[], $7::text[], $8::int8[], $9::int8[],
  $10::numeric[], $11::numeric[], $12::bool[]) t(id, time, seq, block, seller, buyer, x, y, price, usd, buy)`

async function writeSwaps(database: Pool, chain: string, trades: SceneTrade[]) {
  await database.query(
    `insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
       decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
     select $1, t.id, t.time, t.seq, t.block, sha256(int8send(t.seq)), t.seller, t.buyer, t.x, t.y, p.decimals_a, p.decimals_b, t.price,
       1, 0, 0, 0, t.usd from ${TRADES} join state.pools p on p.chain = $1 and p.pool_id = t.id`,
    [chain, ...columns(trades)],
  )
}

async function writeDeals(database: Pool, chain: string, trades: SceneTrade[]) {
  await database.query(
    `insert into ledger.deals (chain, market_id, block_time, global_seq, block_num, trx_id, type, bidder, asker, amount_base,
       amount_target, decimals_base, decimals_target, unit_price, usd)
     select $1, t.id, t.time, t.seq, t.block, sha256(int8send(t.seq)), case when t.buy then 'buymatch' else 'sellmatch' end, t.seller,
       t.buyer, t.x, t.y, m.base_decimals, m.target_decimals, t.price, t.usd
     from ${TRADES} join state.markets m on m.chain = $1 and m.market_id = t.id`,
    [chain, ...columns(trades)],
  )
}

/** Market 0 has orders on both sides, several at one price; market 1 on one side; market 2 none. */
async function writeOrders(database: Pool, chain: string, random: Random) {
  const order = `insert into state.orders (chain, market_id, side, order_id, account, bid_amount, bid_symbol, bid_decimals, ask_amount,
    ask_symbol, ask_decimals, unit_price, order_time) values ($1, $2, $3, $4, 'alice', $5, 'X', 0, $6, 'Y', 0, $7, now())`
  for (let i = 0; i < 700; i++) {
    const side = i % 2 === 0 ? 'buy' : 'sell'
    const price = side === 'buy' ? 24_000_000 - random.integer(0, 450) : 24_000_001 + random.integer(0, 450)
    await database.query(order, [chain, 0, side, i, random.integer(1, 99_999), random.integer(1, 99_999), price])
  }
  await database.query(order, [chain, 1, 'sell', 1, 5_000_000, 7_00000000, 2_085_017_089])
}
