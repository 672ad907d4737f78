// A chain of a few hand-made pools and orders, whose prices can be computed by hand.
import type { Pool } from 'pg'

export interface HandToken {
  contract: string
  symbol: string
  decimals: number
}

export const token = (symbol: string, decimals = 4, contract = 'tokens.test'): HandToken => ({
  contract,
  symbol,
  decimals,
})
export const WAX = token('WAX', 8, 'eosio.token')
export const idOf = ({ symbol, contract }: HandToken) => `${symbol.toLowerCase()}-${contract}`

/** Whole tokens of both sides. Their ratio is the price; one position over all prices holds them. */
export interface HandPool {
  id: number
  a: [HandToken, number]
  b: [HandToken, number]
  fee?: number
  active?: boolean
}

export interface HandOrder {
  market: number
  side: 'buy' | 'sell'
  id: number
  /** Raw units. */
  bid: bigint
  ask: bigint
  unitPrice: bigint
}

export interface HandMarket {
  id: number
  base: HandToken
  target: HandToken
  fee?: number
  frozen?: boolean
}

/** Ticks that bound all prices, at a spacing of 60. */
const EDGE = 443580

export async function writeChain(
  database: Pool,
  chain: string,
  { pools, markets = [], orders = [] }: { pools: HandPool[]; markets?: HandMarket[]; orders?: HandOrder[] },
): Promise<void> {
  await database.query('select meta.add_chain($1)', [chain])
  for (const pool of pools) await writePool(database, chain, pool)
  for (const { id, base, target, fee = 20, frozen = false } of markets)
    await database.query(
      `insert into state.markets (chain, market_id, base_contract, base_symbol, base_decimals, target_contract, target_symbol,
         target_decimals, min_buy, min_buy_decimals, min_sell, min_sell_decimals, frozen, fee)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $8, 1, $5, $9, $10)`,
      [
        chain,
        id,
        base.contract,
        base.symbol,
        base.decimals,
        target.contract,
        target.symbol,
        target.decimals,
        frozen,
        fee,
      ],
    )
  for (const { market, side, id, bid, ask, unitPrice } of orders)
    await database.query(
      `insert into state.orders (chain, market_id, side, order_id, account, bid_amount, bid_symbol, bid_decimals, ask_amount,
         ask_symbol, ask_decimals, unit_price, order_time) values ($1, $2, $3, $4, 'alice', $5, 'X', 0, $6, 'Y', 0, $7, now())`,
      [chain, market, side, id, bid, ask, unitPrice],
    )
  await database.query(
    `insert into meta.position (chain, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
     values ($1, 2, 1000, repeat('5e', 32), now(), 1000, 1000, gen_random_uuid(), true)`,
    [chain],
  )
  await database.query('select meta.build_indexes($1)', [chain])
}

async function writePool(database: Pool, chain: string, { id, a, b, fee = 3000, active = true }: HandPool) {
  const [rawA, rawB] = [a, b].map(([{ decimals }, whole]) => Math.round(whole * 10 ** decimals)) as [number, number]
  const liquidity = BigInt(Math.round(Math.sqrt(rawA * rawB)))
  const root = BigInt(Math.round(Math.sqrt(rawB / rawA) * 2 ** 52)) << 12n
  const tokens = [a, b].flatMap(([{ contract, symbol, decimals }]) => [contract, symbol, decimals])
  const tick = Math.floor(Math.log(rawB / rawA) / Math.log(1.0001))
  await database.query(
    `insert into state.pools (chain, pool_id, active, contract_a, symbol_a, decimals_a, contract_b, symbol_b, decimals_b, reserve_a,
       reserve_b, fee, fee_protocol, tick_spacing, max_liquidity_per_tick, sqrt_price_x64, tick, last_observation, observation_num,
       max_observation_num, fee_growth_global_a_x64, fee_growth_global_b_x64, protocol_fee_a, protocol_fee_b, liquidity)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, 60, 1, $13, $14, now(), 1, 1, 0, 0, 0, 0, $15)`,
    [chain, id, active, ...tokens, rawA, rawB, fee, root, tick, liquidity],
  )
  for (const [at, net] of [
    [-EDGE, liquidity],
    [EDGE, -liquidity],
  ] as const)
    await database.query(TICK, [chain, id, at, liquidity, net])
}

const TICK = `insert into state.ticks (chain, pool_id, tick, liquidity_gross, liquidity_net, fee_growth_outside_a_x64,
  fee_growth_outside_b_x64, tick_cumulative_outside, seconds_per_liquidity_outside_x64, seconds_outside, initialized)
  values ($1, $2, $3, $4, $5, 0, 0, 0, 0, 0, true)`
