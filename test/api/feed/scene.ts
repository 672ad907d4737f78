// Four hand-made chains whose prices and values can be computed by hand. One WAX is 0.05 USD, one TLOS 0.1, one EOS
// 0.5, one XPR 0.002; every pool has these prices.
import type { Pool } from 'pg'
import type { ChainConfig } from '../../../config/schema.ts'
import { testChain } from '../../support/api.ts'
import {
  type HandMarket,
  type HandOrder,
  type HandPool,
  type HandToken,
  token,
  writeChain,
} from '../market/hand-made.ts'

export const WAX = token('WAX', 8, 'eosio.token')
export const USDT = token('USDT', 6, 'usdt.svc')
const WRAPPED_USDT = token('USDT', 6, 'wrap.svc')
export const TLM = token('TLM', 4, 'alien.worlds')
export const TLOS = token('TLOS', 4, 'eosio.token')
const WRAPPED_WAX = token('WAX', 8, 'wrap.svc')
export const EOS = token('EOS', 4, 'eosio.token')
export const TETHER = token('USDT', 4, 'tethertether')
const XPR = token('XPR', 4, 'eosio.token')
const XUSDC = token('XUSDC', 6, 'xtokens')
const EXACT = token('EXACT', 4, 'dust.test')
const BELOW = token('BELOW', 4, 'dust.test')
const SCAM = token('SCAM', 4, 'scam.test')

export const CHAINS = ['wax', 'telos', 'eos', 'proton'] as const
type Chain = (typeof CHAINS)[number]

/** USD of one system token. */
export const USD: Record<Chain, number> = { wax: 0.05, telos: 0.1, eos: 0.5, proton: 0.002 }
const SYSTEM: Record<Chain, HandToken> = { wax: WAX, telos: TLOS, eos: EOS, proton: XPR }
const DOLLAR: Record<Chain, string> = {
  wax: 'usdt-usdt.svc',
  telos: 'usdt-wrap.svc',
  eos: 'usdt-tethertether',
  proton: 'xusdc-xtokens',
}

export const POOLS: Record<Chain, HandPool[]> = {
  wax: [
    { id: 0, a: [WAX, 1_000_000], b: [USDT, 50_000] },
    { id: 1, a: [WAX, 200_000], b: [USDT, 10_000], fee: 500 },
    { id: 2, a: [TLM, 1_000_000], b: [WAX, 80_000] },
    { id: 3, a: [USDT, 5_000], b: [WRAPPED_USDT, 5_000] },
    { id: 4, a: [WAX, 10_000], b: [EXACT, 1_000] },
    { id: 5, a: [WAX, 9_999.9], b: [BELOW, 1_000] },
    { id: 6, a: [WAX, 900_000], b: [SCAM, 1_000] },
    { id: 7, a: [WAX, 800_000], b: [USDT, 40_000], fee: 10_000, active: false },
    { id: 8, a: [WRAPPED_USDT, 20_000], b: [WAX, 400_000] },
  ],
  telos: [
    { id: 0, a: [TLOS, 500_000], b: [WRAPPED_USDT, 50_000] },
    { id: 1, a: [WRAPPED_WAX, 100_000], b: [WRAPPED_USDT, 5_000] },
    { id: 2, a: [WRAPPED_WAX, 60_000], b: [TLOS, 30_000] },
  ],
  eos: [{ id: 0, a: [EOS, 10_000], b: [TETHER, 5_000] }],
  proton: [{ id: 0, a: [XPR, 4_000_000], b: [XUSDC, 8_000] }],
}

/**
 * Market 0: TLM for WAX. 1: USDT for WAX. 2: WAX for USDT. 3: orders on one side only. 4: all orders far from the
 * price.
 */
export const MARKETS: Record<Chain, HandMarket[]> = {
  wax: [
    { id: 0, base: TLM, target: WAX },
    { id: 1, base: USDT, target: WAX },
    { id: 2, base: WAX, target: USDT },
    { id: 3, base: TLM, target: USDT },
    { id: 4, base: WRAPPED_USDT, target: WAX },
    { id: 5, base: SCAM, target: WAX },
  ],
  telos: [],
  eos: [{ id: 0, base: EOS, target: TETHER, frozen: true }],
  proton: [],
}

/**
 * @param base   whole tokens
 * @param price  target per base, at most 8 decimals
 */
function order(market: HandMarket, id: number, side: 'buy' | 'sell', base: number, price: number): HandOrder {
  const rawBase = BigInt(Math.round(base * 10 ** market.base.decimals))
  const rawTarget = BigInt(Math.round(base * price * 10 ** market.target.decimals))
  const unitPrice = BigInt(Math.round(price * 1e8))
  const [bid, ask] = side === 'buy' ? [rawTarget, rawBase] : [rawBase, rawTarget]
  return { market: market.id, side, id, bid, ask, unitPrice }
}

const wax = (id: number) => MARKETS.wax[id]!
/** The mid price of market 0 is 0.08: 0.088 and 0.072 are exactly 10 percent away, 0.0889 and 0.0711 further. */
const ORDERS: Record<Chain, HandOrder[]> = {
  wax: [
    order(wax(0), 1, 'buy', 100_000, 0.0799),
    order(wax(0), 2, 'buy', 50_000, 0.0799),
    order(wax(0), 3, 'buy', 70_000, 0.072),
    order(wax(0), 4, 'buy', 9_000_000, 0.0711),
    order(wax(0), 5, 'sell', 120_000, 0.0801),
    order(wax(0), 6, 'sell', 90_000, 0.088),
    order(wax(0), 7, 'sell', 9_000_000, 0.0889),
    order(wax(1), 8, 'buy', 900, 19.9),
    order(wax(1), 9, 'buy', 300, 19.8),
    order(wax(1), 10, 'sell', 800, 20.1),
    order(wax(2), 11, 'buy', 30_000, 0.0499),
    order(wax(2), 12, 'sell', 20_000, 0.0502),
    order(wax(2), 13, 'sell', 5_000, 0.0503),
    order(wax(3), 14, 'buy', 9_000_000, 0.004),
    order(wax(4), 15, 'buy', 100_000, 10),
    order(wax(4), 16, 'sell', 100_000, 40),
    order(wax(5), 17, 'buy', 100_000, 0.5),
    order(wax(5), 18, 'sell', 100_000, 0.51),
  ],
  telos: [],
  eos: [order(MARKETS.eos[0]!, 1, 'buy', 4000, 0.499), order(MARKETS.eos[0]!, 2, 'sell', 4000, 0.501)],
  proton: [],
}

/** Configuration of a chain: its system token and its USD token. */
export function chainConfig(chain: Chain): ChainConfig {
  const { contract, symbol, decimals } = SYSTEM[chain]
  const base = testChain(chain)
  return {
    ...base,
    systemToken: { contract, symbol, decimals },
    usdToken: DOLLAR[chain],
    price: { source: 'fixed', usd: USD[chain], decimals: 4, fallbacks: [], maxAgeMinutes: 1440 },
    trust: { ...base.trust, stable: ['usdt-wrap.svc'], scam: chain === 'wax' ? [{ token: 'scam.test' }] : [] },
  }
}

/** Swaps: minutes before the last block, raw units from the pool's side, and USD value. */
type Swap = [pool: number, minutes: number, amountA: bigint, amountB: bigint, usd: number]
type Deal = [
  market: number,
  minutes: number,
  type: string,
  base: bigint,
  target: bigint,
  unitPrice: number,
  usd: number,
]

const SWAPS: Record<Chain, Swap[]> = {
  wax: [
    [0, 3000, 777n, -38n, 5],
    [0, 600, 100_00000000n, -4_990000n, 5],
    [0, 30, -200_00000000n, 10_020000n, 10],
    [1, 45, 60_00000000n, -2_990000n, 3],
    [2, 20, 5_000_0000n, -399_00000000n, 20],
    [8, 15, 7_000000n, -139_00000000n, 7],
    [8, 14, -3_000000n, 61_00000000n, 3],
    [3, 10, 1_000000n, -999000n, 1],
  ],
  telos: [
    [1, 40, 40_00000000n, -1_980000n, 2],
    [1, 5, -20_00000000n, 1_010000n, 1],
    [0, 4, 100_0000n, -9_950000n, 10],
  ],
  eos: [],
  proton: [[0, 3, 1_000_0000n, -1_990000n, 2]],
}
const DEALS: Record<Chain, Deal[]> = {
  wax: [
    [1, 2900, 'buymatch', 1_000000n, 20_00000000n, 2_000_000_000, 1],
    [1, 50, 'sellmatch', 3_000000n, 59_70000000n, 1_990_000_000, 3],
    [1, 16, 'buymatch', 2_000000n, 40_20000000n, 2_010_000_000, 2],
    [2, 12, 'buymatch', 100_00000000n, 5_020000n, 5_020_000, 5],
    [0, 11, 'sellmatch', 1_000_0000n, 79_90000000n, 7_990_000, 4],
  ],
  telos: [],
  eos: [],
  proton: [],
}

export async function writeScene(pool: Pool): Promise<void> {
  for (const chain of CHAINS) {
    await writeChain(pool, chain, { pools: POOLS[chain], markets: MARKETS[chain], orders: ORDERS[chain] })
    await pool.query(`update meta.position set block_time = date_trunc('second', block_time) where chain = $1`, [chain])
    let sequence = 0
    for (const swap of SWAPS[chain]) await addSwap(pool, chain, ++sequence, swap)
    for (const deal of DEALS[chain]) await addDeal(pool, chain, ++sequence, deal)
    await pool.query(
      `select meta.refresh_candles($1, array_agg(kind), array_agg(id), array_agg(minute), null) from (
         select distinct 'amm' as kind, pool_id as id, date_trunc('minute', block_time) as minute from ledger.swaps where chain = $1
         union select distinct 'spot', market_id, date_trunc('minute', block_time) from ledger.deals where chain = $1) t
       having count(*) > 0`,
      [chain],
    )
  }
}

/** Inserts a swap before the chain's last block. */
async function addSwap(pool: Pool, chain: string, sequence: number, [id, minutes, a, b, usd]: Swap): Promise<void> {
  await pool.query(
    `insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
       decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
     select $1, $2, q.block_time - make_interval(mins => $3), $4, 1000, sha256(int8send($4)), 'alice', 'bob', $5, $6,
       p.decimals_a, p.decimals_b, round(p.sqrt_price_x64 * (1000 + $4 % 7) / 1000), 1, 0, 0, 0, $7
     from state.pools p join meta.position q on q.chain = p.chain where p.chain = $1 and p.pool_id = $2`,
    [chain, id, minutes, sequence, a, b, usd],
  )
}

async function addDeal(
  pool: Pool,
  chain: string,
  sequence: number,
  [id, minutes, type, base, target, price, usd]: Deal,
): Promise<void> {
  await pool.query(
    `insert into ledger.deals (chain, market_id, block_time, global_seq, block_num, trx_id, type, bidder, asker, amount_base,
       amount_target, decimals_base, decimals_target, unit_price, usd)
     select $1, $2, q.block_time - make_interval(mins => $3), $4, 1000, sha256(int8send($4)), $5, 'alice', 'bob', $6, $7,
       m.base_decimals, m.target_decimals, $8, $9
     from state.markets m join meta.position q on q.chain = m.chain where m.chain = $1 and m.market_id = $2`,
    [chain, id, minutes, sequence, type, base, target, price, usd],
  )
}
