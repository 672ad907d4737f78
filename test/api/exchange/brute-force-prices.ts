// Token prices by brute force: tries every path without a repeated token and takes the one whose weakest pool is the
// strongest. Uses doubles; only for few pools.
import type { Pool } from 'pg'

export interface BrutePrice {
  /** System tokens per token. */
  price: number
  /** Value of the priced side of the weakest pool, system tokens. */
  width: number
}

interface Edge {
  from: string
  to: string
  /** Whole tokens of `from` that the pool holds. */
  held: number
  /** Price of `to` in `from`. */
  rate: number
}

const idOf = (symbol: string, contract: string) => `${symbol.toLowerCase()}-${contract}`

export async function bruteForcePrices(
  database: Pool,
  chain: string,
  system: string,
  options: { threshold: number; excluded?: readonly string[] },
): Promise<Map<string, BrutePrice>> {
  const { rows } = await database.query('select * from state.pools where chain = $1 and active and liquidity > 0', [
    chain,
  ])
  const edges: Edge[] = rows.flatMap((row) => {
    const a = idOf(row.symbol_a, row.contract_a)
    const b = idOf(row.symbol_b, row.contract_b)
    const inB = (Number(row.sqrt_price_x64) / 2 ** 64) ** 2 * 10 ** (row.decimals_a - row.decimals_b)
    return [
      { from: a, to: b, held: Number(row.reserve_a) / 10 ** row.decimals_a, rate: 1 / inB },
      { from: b, to: a, held: Number(row.reserve_b) / 10 ** row.decimals_b, rate: inB },
    ]
  })
  const best = new Map<string, BrutePrice>([[system, { price: 1, width: Number.POSITIVE_INFINITY }]])
  const walk = (at: string, price: number, width: number, seen: readonly string[]) => {
    for (const { from, to, held, rate } of edges) {
      if (from !== at || seen.includes(to) || options.excluded?.includes(to)) continue
      const value = held * price
      if (value < options.threshold) continue
      const narrow = Math.min(width, value)
      const known = best.get(to)
      if (known === undefined || narrow > known.width) best.set(to, { price: price * rate, width: narrow })
      walk(to, price * rate, narrow, [...seen, to])
    }
  }
  walk(system, 1, Number.POSITIVE_INFINITY, [system])
  return best
}
