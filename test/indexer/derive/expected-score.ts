// A token's score from the raw rows of the scene, computed again in plain loops with doubles.
import type { Pool } from 'pg'

export interface RawTrade {
  kind: 'amm' | 'spot'
  id: number
  time: number
  accounts: [string, string]
  usd: number
  root: number
  tokens: string[]
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Every trade with the token ids of its pool or market. */
export async function rawTrades(pool: Pool, chain: string): Promise<RawTrade[]> {
  const { rows } = await pool.query(
    `select 'amm' as kind, s.pool_id::int as id, block_time as time, global_seq as seq, array[sender, recipient] as accounts, usd::float8,
       s.sqrt_price_x64::float8 / 2 ^ 64 as root, array[lower(p.symbol_a) || '-' || p.contract_a, lower(p.symbol_b) || '-' || p.contract_b] as tokens
     from ledger.swaps s join state.pools p using (chain, pool_id) where chain = $1
     union all
     select 'spot', d.market_id::int, block_time, global_seq, array[bidder, asker], usd::float8, 0,
       array[lower(m.base_symbol) || '-' || m.base_contract, lower(m.target_symbol) || '-' || m.target_contract]
     from ledger.deals d join state.markets m using (chain, market_id) where chain = $1 order by time, seq`,
    [chain],
  )
  return rows.map((row) => ({ ...row, time: row.time.getTime(), usd: row.usd ?? 0 }))
}

const rounded = (value: number, digits: number) => Number(`${Math.round(Number(`${value}e${digits}`))}e-${digits}`)

/** Contents of a token's windows that end at an hour. */
export function expectedWindows(
  trades: readonly RawTrade[],
  token: string,
  hour: number,
  outsiders: readonly string[],
) {
  const between = (from: number, to: number) =>
    trades.filter(({ time, tokens }) => tokens.includes(token) && time >= hour - from && time < hour - to)
  const usd = (some: RawTrade[]) => some.reduce((sum, one) => sum + one.usd, 0)
  const traders = (some: RawTrade[]) =>
    new Set(some.flatMap(({ accounts }) => accounts).filter((one) => !outsiders.includes(one))).size
  const [month, week, day] = [between(30 * DAY, 0), between(7 * DAY, 0), between(DAY, 0)]
  const [weekBefore, dayBefore] = [between(14 * DAY, 7 * DAY), between(2 * DAY, DAY)]
  return {
    trades: month.length,
    volumeUsd: usd(month),
    traders: traders(month),
    trends: {
      volumeUsd7d: rounded(usd(week), 8),
      trades7d: week.length,
      uniqueTraders7d: traders(week),
      uniqueTraders24h: traders(day),
      uniqueTradersPrev24h: traders(dayBefore),
      uniqueTradersPrev7d: traders(weekBefore),
      uniqueTraderGrowth24h: rounded(traders(day) / Math.max(1, traders(dayBefore)), 4),
      uniqueTraderGrowth7d: rounded(traders(week) / Math.max(1, traders(weekBefore)), 4),
    },
  }
}

/** Prices of a pool seen from one of its tokens. @param scale  10 to the power of the decimals of A less those of B */
export function expectedPrices(
  trades: readonly RawTrade[],
  { pool, scale, isA, created, first }: { pool: number; scale: number; isA: boolean; created: number; first: number },
  hour: number,
) {
  const own = trades.filter(({ kind, id, time }) => kind === 'amm' && id === pool && time < hour)
  const price = (root: number) => (isA ? root ** 2 * scale : 1 / (root ** 2 * scale))
  const at = (time: number) => {
    const last = own.filter((one) => one.time < time).at(-1)
    if (last) return price(last.root)
    return created < time ? price(first) : null
  }
  const inWindow = own.filter(({ time }) => time >= hour - 30 * DAY).map(({ root }) => price(root))
  const start = at(hour - 30 * DAY) ?? price(first)
  const now = at(hour) as number
  const since = (age: number) => {
    const before = at(hour - age)
    return before === null ? null : (now / before - 1) * 100
  }
  return { now, high: Math.max(start, ...inWindow), changes: [7, 30, 90].map((days) => since(days * DAY)) }
}
