// Candles computed from trades one by one, without SQL and without deriving one bucket from another.
import type { ExpectedLedger } from './expected-ledger.ts'
import type { TextRow } from './text-rows.ts'

interface Trade {
  kind: 'amm' | 'spot'
  id: string
  time: string
  price: bigint
  base: bigint
  target: bigint
}

interface Candle {
  open: bigint
  high: bigint
  low: bigint
  close: bigint
  base: bigint
  target: bigint
  trades: number
}

const MINUTES = [1, 5, 15, 30, 60, 240]

/** Rows of derive.candles, ordered by kind, market, resolution and time. */
export function expectedCandles(ledger: ExpectedLedger): TextRow[] {
  const candles = new Map<string, Candle>()
  for (const trade of tradesOf(ledger)) {
    for (const [resolution, start] of buckets(new Date(trade.time))) {
      const key = [trade.kind, trade.id, resolution, start].join(' ')
      const candle = candles.get(key)
      if (candle) extend(candle, trade)
      else candles.set(key, first(trade))
    }
  }
  return [...candles].map(([key, candle]) => toRow(key, candle)).sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** Order of SQL for `market_kind, market_id::text, resolution, bucket_time` in the C collation. */
function order(row: TextRow): string {
  return [row.market_kind, row.market_id, row.resolution, row.bucket_time].join('\u0000')
}

function tradesOf(ledger: ExpectedLedger): Trade[] {
  const swaps = ledger.get('swaps')!.map((row): Trade => {
    const [a, b] = [BigInt(row.amount_a!), BigInt(row.amount_b!)]
    const volume = { base: a < 0n ? -a : a, target: b < 0n ? -b : b }
    return { kind: 'amm', id: row.pool_id!, time: row.block_time!, price: BigInt(row.sqrt_price_x64!), ...volume }
  })
  const deals = ledger.get('deals')!.map((row): Trade => {
    const volume = { base: BigInt(row.amount_base!), target: BigInt(row.amount_target!) }
    return { kind: 'spot', id: row.market_id!, time: row.block_time!, price: BigInt(row.unit_price!), ...volume }
  })
  return [...swaps, ...deals]
}

function buckets(time: Date): [resolution: string, start: string][] {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()]
  const monday = day - ((time.getUTCDay() + 6) % 7)
  return [
    ...MINUTES.map((minutes): [string, string] => {
      const span = minutes * 60_000
      return [`${minutes}`, new Date(Math.floor(time.getTime() / span) * span).toISOString()]
    }),
    ['1D', new Date(Date.UTC(year, month, day)).toISOString()],
    ['1W', new Date(Date.UTC(year, month, monday)).toISOString()],
    ['1M', new Date(Date.UTC(year, month, 1)).toISOString()],
  ]
}

function first({ price, base, target }: Trade): Candle {
  return { open: price, high: price, low: price, close: price, base, target, trades: 1 }
}

function extend(candle: Candle, { price, base, target }: Trade): void {
  if (price > candle.high) candle.high = price
  if (price < candle.low) candle.low = price
  candle.close = price
  candle.base += base
  candle.target += target
  candle.trades++
}

function toRow(key: string, candle: Candle): TextRow {
  const [market_kind = '', market_id = '', resolution = '', bucket_time = ''] = key.split(' ')
  const { open, high, low, close, base, target, trades } = candle
  const prices = { open: `${open}`, high: `${high}`, low: `${low}`, close: `${close}` }
  // Trades have no USD values here.
  const counts = { trades: `${trades}`, trades_without_usd: `${trades}` }
  const volumes = { volume_base: `${base}`, volume_target: `${target}`, volume_usd: null, ...counts }
  return { market_kind, market_id, resolution, bucket_time, ...prices, ...volumes }
}
