// The history of a large exchange in a migrated database: pools, markets, orders, positions and years of trades.
import pg from 'pg'
import * as sql from './sql.ts'

export interface Scale {
  chain: string
  systemToken: { symbol: string; decimals: number }
  pools: number
  markets: number
  tokens: number
  swaps: number
  deals: number
  /** Number of minutes, and of blocks. */
  minutes: number
}

const MINUTE = 60_000

/** Constant rate: more swaps make a longer history. */
const SWAPS_PER_MINUTE = 6.34

/** Length of a history with a number of swaps. */
export function minutesOf(swaps: number): number {
  return Math.ceil(swaps / SWAPS_PER_MINUTE)
}

/** A chain with as many pools and markets as WAX, and a history with the given number of swaps. */
export function exchangeOf(chain: string, systemToken: Scale['systemToken'], swaps: number): Scale {
  const minutes = minutesOf(swaps)
  return { chain, systemToken, pools: 6300, markets: 1600, tokens: 4200, swaps, deals: Math.ceil(swaps / 10), minutes }
}

export interface Parts {
  /** Candles of all resolutions, by default; of days alone, with those of hours in the last 90 days. */
  candles?: 'all' | 'days'
  /** Whether the secondary indexes are built. Default true. */
  indexes?: boolean
}

/** Fills the tables of one chain. `now` is Unix milliseconds in the minute of the last block. */
export async function writeHistory(
  url: string,
  scale: Scale,
  now: number,
  { candles = 'all', indexes = true }: Parts = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { chain, minutes, pools, tokens } = scale
  const end = now - (now % MINUTE)
  const start = new Date(end - (minutes - 1) * MINUTE)
  const run = (text: string, ...values: unknown[]) => client.query(text, values)
  try {
    await run('set synchronous_commit = off')
    await run("set maintenance_work_mem = '1GB'")
    await run("set work_mem = '1GB'")
    await run('select meta.add_chain($1)', chain)
    await run(sql.FUNCTIONS)
    await run(sql.tokens(scale.systemToken), tokens)
    await run(sql.POOLS, pools, tokens)
    await run('analyze made_tokens')
    await run('analyze made_pools')
    await run(sql.PUT_POOLS, chain)
    await run(sql.PUT_POSITIONS, chain)
    await run(sql.PUT_TICKS, chain)
    await run(sql.PUT_CREATIONS, chain, start)
    await run(sql.PUT_MARKETS, chain, scale.markets, tokens)
    await run(sql.PUT_ORDERS, chain)
    await run(sql.PUT_BLOCKS, chain, start, minutes)
    // Building an index at once is many times faster than inserting each row into it.
    await run(sql.loosen(chain))
    await run(sql.putSwaps(chain), chain, start, minutes, scale.swaps, pools)
    await run(sql.fasten(chain))
    await run(sql.PUT_DEALS, chain, start, minutes, scale.deals, scale.markets)
    await run(sql.PUT_PRICES, chain, start)
    await run(sql.PUT_POSITION, chain, minutes, new Date(end))
    if (candles === 'all') await putCandles(client, chain)
    else {
      await run(sql.putCandles('1D', '1 day', 'bucket'), chain, '-infinity')
      await run(sql.putCandles('60', '1 hour', 'bucket'), chain, new Date(end - 90 * 1440 * MINUTE))
    }
    if (indexes) await run('select meta.build_indexes($1)', chain)
    await run('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Minutes from trades, each higher resolution from a lower one. */
async function putCandles(client: pg.Client, chain: string): Promise<void> {
  await client.query(sql.putCandles('1', '1 minute'), [chain, '-infinity'])
  const { rows } = await client.query(
    'select resolution, source from meta.resolutions where source is not null order by place',
  )
  for (const { resolution, source } of rows) await client.query(sql.ROLL_UP, [chain, resolution, source])
}
