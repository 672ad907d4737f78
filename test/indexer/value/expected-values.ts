// USD values of a chain's trades, computed slowly from the database only. Pools at each minute boundary come from the
// same recording indexed up to the block before it, prices from a plain search over the pools.
import type { Pool } from 'pg'
import type { PricePool } from '../../../core/price/price-graph.ts'
import { grow } from '../../core/price/naive-prices.ts'

export interface Rules {
  system: string
  systemDecimals: number
  /** Raw units of the system token; `usd` is in units of 10^-16 USD. */
  threshold: (usd: bigint | null) => bigint
  usd: (minute: number) => bigint | null
  isTrusted: (token: string, minute: number) => boolean
  isScam: (token: string, minute: number) => boolean
}

export interface Valued {
  global_seq: string
  usd: string | null
}

type Texts = Record<string, string>

/** @param indexUpTo  indexes the recording up to a block, returns the name of the chain */
export async function expectedValues(
  pool: Pool,
  chain: string,
  rules: Rules,
  indexUpTo: (block: number) => Promise<string>,
): Promise<Valued[]> {
  const minutes = await pool.query(
    `select extract(epoch from date_trunc('minute', block_time))::int8 * 1000 as minute, min(block_num)::int4 as first
     from ledger.blocks where chain = $1 group by 1 order by 1`,
    [chain],
  )
  const pools = new Map((await poolsOf(pool, chain)).map((row) => [String(row.id), row]))
  const values: Valued[] = []
  for (const { minute, first } of minutes.rows) {
    const start = Number(minute)
    const before = first === 2 ? [] : await poolsOf(pool, await indexUpTo(first - 1))
    values.push(...(await minuteValues(pool, chain, rules, start, before, pools)))
  }
  return values
}

async function minuteValues(
  pool: Pool,
  chain: string,
  rules: Rules,
  minute: number,
  before: PricePool[],
  pools: Map<string, PricePool>,
): Promise<Valued[]> {
  const usd = rules.usd(minute)
  const usable = before.filter(({ tokenA, tokenB }) => !rules.isScam(tokenA, minute) && !rules.isScam(tokenB, minute))
  const prices = grow(usable, rules.system, rules.threshold(usd))
  const { rows: trades } = await pool.query<Texts>(
    `select * from (
       select 'trade' as kind, s.global_seq, s.pool_id as pool, null as base, null as target, s.amount_a as a, s.amount_b as b,
         s.block_time from ledger.swaps s where s.chain = $1
       union all
       select 'trade', d.global_seq, null, lower(m.base_symbol) || '-' || m.base_contract,
         lower(m.target_symbol) || '-' || m.target_contract, d.amount_base, d.amount_target, d.block_time
       from ledger.deals d join state.markets m using (chain, market_id) where d.chain = $1
       union all
       select 'liquidity', e.global_seq, e.pool_id, null, null, e.amount_a, e.amount_b, e.block_time
       from ledger.position_events e where e.chain = $1
     ) x where date_trunc('minute', block_time) = $2 order by global_seq`,
    [chain, new Date(minute)],
  )
  return trades.map(({ kind, global_seq, pool: id, base, target, a, b }) => {
    if (usd === null || a === null || b === null) return { global_seq: global_seq as string, usd: null }
    const held = pools.get(id as string)
    const tokens = [base ?? held?.tokenA, target ?? held?.tokenB] as [string, string]
    const worth = [a, b].map((amount, side) => {
      const rate = prices.get(tokens[side] as string)?.rate
      return rate === undefined ? null : magnitude(BigInt(amount as string)) * rate
    }) as [bigint | null, bigint | null]
    const counted = worth.filter((value, side) => {
      return value !== null && (kind === 'liquidity' || rules.isTrusted(tokens[side] as string, minute))
    }) as bigint[]
    const isKnown =
      kind === 'liquidity' ? worth.every((value, side) => value !== null || [a, b][side] === '0') : counted.length > 0
    if (!isKnown) return { global_seq: global_seq as string, usd: null }
    const sum = counted.reduce((total, value) => total + value, 0n)
    const parts = kind === 'liquidity' ? 1n : BigInt(Math.max(1, counted.length))
    return { global_seq: global_seq as string, usd: eightDigits(sum * usd, parts, rules.systemDecimals) }
  })
}

async function poolsOf(pool: Pool, chain: string): Promise<PricePool[]> {
  const { rows } = await pool.query<Texts>(
    `select pool_id, active, lower(symbol_a) || '-' || contract_a as a, lower(symbol_b) || '-' || contract_b as b, reserve_a,
       reserve_b, sqrt_price_x64, liquidity, decimals_a, decimals_b from state.pools where chain = $1`,
    [chain],
  )
  return rows.map((row) => ({
    id: Number(row.pool_id),
    active: Boolean(row.active),
    tokenA: row.a as string,
    tokenB: row.b as string,
    decimalsA: Number(row.decimals_a),
    decimalsB: Number(row.decimals_b),
    reserveA: BigInt(row.reserve_a as string),
    reserveB: BigInt(row.reserve_b as string),
    sqrtPriceX64: BigInt(row.sqrt_price_x64 as string),
    liquidity: BigInt(row.liquidity as string),
  }))
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** sum / 2^192 raw system units, times 10^-16 USD for each whole token, shared among parts: half up at 10^-8. */
function eightDigits(sum: bigint, parts: bigint, systemDecimals: number): string {
  const denominator = 2n ** 192n * 10n ** BigInt(systemDecimals) * 10n ** 8n * parts
  const units = (sum * 2n + denominator) / (denominator * 2n)
  const text = units.toString().padStart(9, '0')
  return `${text.slice(0, -8)}.${text.slice(-8)}`
}

/** Rows of the database. */
export async function storedValues(pool: Pool, chain: string): Promise<Valued[]> {
  const { rows } = await pool.query<Valued>(
    `select global_seq, usd::text from (
       select global_seq, usd from ledger.swaps where chain = $1
       union all select global_seq, usd from ledger.deals where chain = $1
       union all select global_seq, usd from ledger.position_events where chain = $1) x order by global_seq`,
    [chain],
  )
  return rows
}
