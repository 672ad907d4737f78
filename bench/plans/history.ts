// Rows of an exchange and of the bridge in a migrated database, without derived tables: enough to compare query plans.
import pg from 'pg'
import { minutesOf } from '../exchange/history.ts'
import * as sql from '../exchange/sql.ts'
import * as more from './sql.ts'

export interface PlanScale {
  chain: string
  systemToken: { symbol: string; decimals: number }
  /**
   * Number of swaps and of transfers. There are a tenth as many deals and position events, and a fifth as many order
   * events.
   */
  swaps: number
  pools: number
  markets: number
  tokens: number
}

const MINUTE = 60_000

/**
 * Fills the tables of one chain, builds its indexes and gathers statistics as a running server does. `now` is Unix
 * milliseconds in the minute of the last block.
 *
 * @returns seconds that building the indexes took
 */
export async function writePlanHistory(url: string, scale: PlanScale, now: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { chain, swaps, pools, markets, tokens } = scale
  const minutes = minutesOf(swaps)
  const end = now - (now % MINUTE)
  const start = new Date(end - (minutes - 1) * MINUTE)
  const run = (text: string, ...values: unknown[]) => client.query(text, values)
  const [tenth, bridged] = [Math.ceil(swaps / 10), Math.ceil(swaps / 50)]
  try {
    await run(
      "set synchronous_commit = off; set timezone = 'UTC'; set maintenance_work_mem = '512MB'; set work_mem = '256MB'",
    )
    await run('select meta.add_chain($1)', chain)
    await run(sql.FUNCTIONS)
    await run(sql.tokens(scale.systemToken), tokens)
    await run(sql.POOLS, pools, tokens)
    await run('analyze made_tokens; analyze made_pools')
    await run(sql.PUT_POOLS, chain)
    await run(sql.PUT_POSITIONS, chain)
    await run(sql.PUT_TICKS, chain)
    await run(sql.PUT_CREATIONS, chain, start)
    await run(sql.PUT_MARKETS, chain, markets, tokens)
    await run(sql.PUT_ORDERS, chain)
    await run(more.PUT_RATES, chain)
    await run(sql.PUT_BLOCKS, chain, start, minutes)
    await run(`analyze ledger.blocks__${chain}; analyze state.positions__${chain}; analyze state.pools__${chain}`)
    await run(sql.putSwaps(chain), chain, start, minutes, swaps, pools)
    await run(more.PUT_TRANSFERS, chain, swaps, tokens)
    await run(sql.PUT_DEALS, chain, start, minutes, tenth, markets)
    await run(more.PUT_POSITION_EVENTS, chain, tenth, pools * 10)
    await run(more.PUT_ORDER_EVENTS, chain, tenth * 2, markets)
    await run(more.PUT_WITHDRAWALS, chain, bridged)
    await run(more.PUT_DEPOSITS, chain, bridged)
    await run(sql.PUT_PRICES, chain, start)
    await run(sql.PUT_POSITION, chain, minutes, new Date(end))
    const started = performance.now()
    await run('select meta.build_indexes($1)', chain)
    const seconds = (performance.now() - started) / 1000
    await run('vacuum analyze')
    return seconds
  } finally {
    await client.end()
  }
}
