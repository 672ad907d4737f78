// Candles of a pool or an order book, in one form.
import { type Asked, askWithBlock } from './answers.ts'

export type CandleSource = { kind: 'pool'; id: number; isReversed: boolean } | { kind: 'market'; ticker: string }

/** Candles of one request. */
export const PAGE = 500
/** Maximum number of requests for one view. */
const MAX_PAGES = 8

export const RESOLUTIONS = [
  ['1', '1m'],
  ['5', '5m'],
  ['15', '15m'],
  ['60', '1h'],
  ['240', '4h'],
  ['1D', '1D'],
  ['1W', '1W'],
] as const
export type Resolution = (typeof RESOLUTIONS)[number][0]

export interface Candle {
  /** Start, Unix seconds. */
  time: number
  open: number
  high: number
  low: number
  close: number
  /** USD of a pool; the quote token of an order book. */
  volume: number
  /** The same as the API gives them: more digits than a number holds. */
  exact: Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', string>>
}

/** Length of a candle, seconds. */
function secondsOf(resolution: Resolution): number {
  if (resolution === '1D') return 86_400
  return resolution === '1W' ? 604_800 : Number(resolution) * 60
}

interface ApiCandle extends Record<'open' | 'high' | 'low' | 'close', string | number> {
  time: number
  volume: number
}

/**
 * The newest candles, oldest first.
 *
 * @param before  only candles that start before, Unix seconds; null: up to now
 * @throws the errors of `ask`
 */
export async function readCandles(
  chain: string | null,
  source: CandleSource,
  resolution: Resolution,
  limit: number,
  before: number | null,
  signal: AbortSignal,
): Promise<Asked<Candle[]>> {
  const range = before === null ? '' : `&to=${before * 1000 - 1}`
  const path =
    source.kind === 'pool'
      ? `/api/v2/swap/pools/${source.id}/candles?resolution=${resolution}&limit=${limit}&reverse=${source.isReversed}${range === '' ? '' : `&from=0${range}`}`
      : `/api/v2/tickers/${source.ticker}/charts?resolution=${resolution}&limit=${limit}&from=0${range}`
  const { value, block } = await askWithBlock<ApiCandle[]>(chain, path, signal)
  const candles = value.map(({ time, open, high, low, close, volume }) => ({
    time: Math.floor(time / 1000),
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: Number(volume),
    exact: {
      open: String(open),
      high: String(high),
      low: String(low),
      close: String(close),
      volume: String(volume),
    },
  }))
  return { value: candles, block }
}

/**
 * The newest candles, and older ones until they begin before `start`. Ascending.
 *
 * @param start  null: one page
 * @returns them with the block of the newest ones
 */
export async function readFrom(
  of: string | null,
  source: CandleSource,
  resolution: Resolution,
  start: number | null,
  signal: AbortSignal,
): Promise<Asked<Candle[]>> {
  let candles: Candle[] = []
  let newest: number | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { value, block } = await readCandles(of, source, resolution, PAGE, candles[0]?.time ?? null, signal)
    newest ??= block
    candles = [...value, ...candles]
    if (start === null || value.length < PAGE || (value[0] as Candle).time <= start) break
  }
  return { value: candles, block: newest ?? 0 }
}

/** All candles since the newest known one, of which a pause can have left out many, and the one before it. */
export function readNewer(
  of: string | null,
  source: CandleSource,
  resolution: Resolution,
  newest: Candle | undefined,
  signal: AbortSignal,
): Promise<Asked<Candle[]>> {
  const passed = newest === undefined ? 0 : Date.now() / 1000 - newest.time
  const limit = Math.min(PAGE, Math.ceil(Math.max(0, passed) / secondsOf(resolution)) + 2)
  return readCandles(of, source, resolution, limit, null, signal)
}
