// A deliberately plain replay of projected blocks, and the database's rows in the same form.
import type { Pool } from 'pg'
import type { ProjectedBlock } from '../../../indexer/store/rows.ts'

export interface Everything {
  blocks: string[]
  trades: string[]
  balances: string[]
  settledBalances: string[]
  candles: string[]
  settledCandles: string[]
}

const RESOLUTIONS: [string, (time: Date) => Date][] = [
  ...([1, 5, 15, 30, 60, 240] as const).map((minutes): [string, (time: Date) => Date] => [
    String(minutes),
    (time) => new Date(Math.floor(time.getTime() / (minutes * 60_000)) * minutes * 60_000),
  ]),
  ['1D', (time) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()))],
  [
    '1W',
    (time) =>
      new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - ((time.getUTCDay() + 6) % 7))),
  ],
  ['1M', (time) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1))],
]

export function replayNaively(blocks: ProjectedBlock[]): Everything {
  const last = blocks.at(-1)
  const lib = blocks.reduce((lib, block) => Math.max(lib, Math.min(block.lib, block.num)), 0)
  const final = blocks.filter((block) => block.num <= Math.min(lib, last?.num ?? 0))
  return {
    blocks: blocks.map((block) => `${block.num} ${block.id} ${new Date(block.time).toISOString()}`),
    trades: blocks
      .flatMap(trades)
      .map((trade) => trade.text)
      .sort(),
    balances: balances(blocks),
    settledBalances: balances(final),
    candles: candles(blocks),
    settledCandles: candles(final),
  }
}

interface Trade {
  kind: string
  id: bigint
  time: Date
  price: bigint
  base: bigint
  target: bigint
  text: string
}

// biome-ignore lint/suspicious/noExplicitAny: rows of several tables, read by name
function trades(block: ProjectedBlock): (Trade & { row: any })[] {
  return block.ledger
    .filter(({ table }) => table === 'swaps' || table === 'deals')
    .map(({ table, row }) => {
      // biome-ignore lint/suspicious/noExplicitAny: see above
      const r = row as any
      const time = new Date(r.blockTime)
      const swap = table === 'swaps'
      const id = swap ? r.poolId : r.marketId
      const price = swap ? r.sqrtPriceX64 : r.unitPrice
      const text = `${table} ${id} ${r.globalSeq} ${time.toISOString()} ${r.trxId} ${price}`
      const [base, target] = swap ? [abs(r.amountA), abs(r.amountB)] : [r.amountBase, r.amountTarget]
      return { kind: swap ? 'amm' : 'spot', id, time, price, base, target, text, row }
    })
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}

function balances(blocks: ProjectedBlock[]): string[] {
  const current = new Map<string, string>()
  for (const { row, present } of blocks.flatMap((block) => block.state)) {
    const { contract, symbol, account, amount } = row as Record<string, unknown>
    const key = `${contract} ${symbol} ${account}`
    if (present) current.set(key, `${key} ${amount}`)
    else current.delete(key)
  }
  return [...current.values()].sort()
}

function candles(blocks: ProjectedBlock[]): string[] {
  const found = new Map<
    string,
    { open: bigint; high: bigint; low: bigint; close: bigint; base: bigint; target: bigint; count: number }
  >()
  for (const trade of blocks.flatMap(trades)) {
    for (const [resolution, start] of RESOLUTIONS) {
      const key = `${trade.kind} ${trade.id} ${resolution} ${start(trade.time).toISOString()}`
      const candle = found.get(key)
      const { price, base, target } = trade
      if (!candle) found.set(key, { open: price, high: price, low: price, close: price, base, target, count: 1 })
      else {
        candle.high = price > candle.high ? price : candle.high
        candle.low = price < candle.low ? price : candle.low
        candle.close = price
        candle.base += base
        candle.target += target
        candle.count++
      }
    }
  }
  return [...found]
    .map(([key, c]) => `${key} ${c.open} ${c.high} ${c.low} ${c.close} ${c.base} ${c.target} ${c.count}`)
    .sort()
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

export async function readEverything(pool: Pool, chain: string): Promise<Everything> {
  const list = async (sql: string) => {
    const { rows } = await pool.query<{ text: string }>(sql, [chain])
    return rows.map((row) => row.text)
  }
  const candleText = `concat_ws(' ', market_kind, market_id, resolution, to_char(bucket_time, ${ISO}), open, high, low, close, volume_base, volume_target, trades)`
  return {
    blocks: await list(
      `select concat_ws(' ', block_num, encode(block_id, 'hex'), to_char(block_time, ${ISO})) as text from ledger.blocks where chain = $1 order by block_num`,
    ),
    trades: (
      await list(`select concat_ws(' ', 'swaps', pool_id, global_seq, to_char(block_time, ${ISO}), encode(trx_id, 'hex'), sqrt_price_x64) as text
        from ledger.swaps where chain = $1
        union all select concat_ws(' ', 'deals', market_id, global_seq, to_char(block_time, ${ISO}), encode(trx_id, 'hex'), unit_price)
        from ledger.deals where chain = $1`)
    ).sort(),
    balances: (
      await list(
        `select concat_ws(' ', contract, symbol, account, amount) as text from state.balances where chain = $1`,
      )
    ).sort(),
    settledBalances: (
      await list(
        `select concat_ws(' ', contract, symbol, account, amount) as text from settled.balances where chain = $1`,
      )
    ).sort(),
    candles: (await list(`select ${candleText} as text from derive.candles where chain = $1`)).sort(),
    settledCandles: (await list(`select ${candleText} as text from settled.candles where chain = $1`)).sort(),
  }
}
