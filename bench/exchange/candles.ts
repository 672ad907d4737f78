// Requests 5,000 candles of every resolution, one request at a time: of the busiest pool, of a pool with few trades,
// and of the busiest market. No two requests are equal, so that no answer comes from a cache.
import type { ApiProcess } from './server.ts'

/** Duration of a candle, minutes. */
export const RESOLUTIONS: Record<string, number> = {
  '1': 1,
  '5': 5,
  '15': 15,
  '30': 30,
  '60': 60,
  '240': 240,
  '1D': 1440,
  '1W': 10_080,
  '1M': 43_200,
}
const MINUTE = 60_000
export const CANDLES = 5000

export interface History {
  chain: string
  /** Ticker of the busiest market. */
  ticker: string
  /** Unix milliseconds of the newest candle. */
  to: number
}

/**
 * Measures the histories in turn, so that other load on the machine affects all of them.
 *
 * @returns for each history, median milliseconds by kind of request
 */
export async function candles(
  api: ApiProcess,
  histories: readonly History[],
  repeats: number,
): Promise<Map<string, number>[]> {
  const medians = histories.map(() => new Map<string, number>())
  for (const [resolution, minutes] of Object.entries(RESOLUTIONS)) {
    const from = (end: number) => end - (CANDLES - 1) * minutes * MINUTE
    const paths: Record<string, (end: number, history: History) => string> = {
      'busiest pool': (end) =>
        `/api/v2/swap/pools/0/candles?resolution=${resolution}&from=${from(end)}&to=${end}&limit=${CANDLES}`,
      'quiet pool': (end) =>
        `/api/v2/swap/pools/3003/candles?resolution=${resolution}&from=${from(end)}&to=${end}&limit=${CANDLES}`,
      'busiest market': (end, { ticker }) =>
        `/api/v2/tickers/${ticker}/charts?resolution=${resolution}&from=${from(end)}&to=${end}&limit=${CANDLES}`,
    }
    for (const [what, path] of Object.entries(paths)) {
      const times = histories.map((): number[] => [])
      for (let i = 0; i < repeats; i++) {
        for (const [place, history] of histories.entries()) {
          const requested = path(history.to - i * MINUTE, history)
          const { status, body, ms } = await api.get(history.chain, requested)
          if (status !== 200) throw new Error(`${requested} answered ${status}: ${body}`)
          times[place]?.push(ms)
        }
      }
      for (const [place, one] of times.entries()) {
        one.sort((a, b) => a - b)
        medians[place]?.set(`${what} ${resolution}`, one[one.length >> 1] as number)
      }
    }
  }
  return medians
}
