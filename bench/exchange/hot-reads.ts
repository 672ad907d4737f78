// The most frequent requests of clients, all kinds mixed, at a fixed rate.
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { Random } from '../../test/support/random.ts'
import type { Answer, ApiClient } from './server.ts'

export interface HotReads {
  failures: number
  /** Response times in milliseconds, ascending. */
  times: number[]
  /** Digest over the answers of one request to each path, in order. */
  digest: string
  /** Response times of those requests in milliseconds, ascending, by kind. */
  kinds: Map<string, number[]>
}

type Path = [kind: string, path: string]

/** Paths of every kind in turn. Busy pools and markets are requested more often. */
export async function hotPaths(api: ApiClient, chain: string, count: number): Promise<Path[]> {
  const ids = async (path: string, name: string) =>
    (JSON.parse((await api.get(chain, path)).body.toString()) as Record<string, string>[]).map((one) => one[name])
  const tickers = await ids('/api/v2/pairs', 'ticker_id')
  const tokens = await ids('/api/v2/tokens', 'id')
  const random = new Random(1)
  const pick = (size: number) => Math.floor(size * random.next() ** 3)
  const ticker = () => `/api/v2/tickers/${tickers[pick(tickers.length)]}`
  const pool = () => `/api/v2/swap/pools/${pick(6300)}`
  const kinds: [string, () => string][] = [
    ['token', () => `/api/v2/tokens/${tokens[pick(tokens.length)]}`],
    ['pool', pool],
    ['ticker', ticker],
    ['order book', () => `${ticker()}/orderbook`],
    ['300 candles', () => `${pool()}/candles?resolution=15&limit=300`],
    ['latest swaps', () => `${pool()}/swaps`],
    ['latest trades', () => `${ticker()}/historical_trades`],
  ]
  return Array.from({ length: count }, (_, i) => {
    const [kind, path] = kinds[i % kinds.length] as (typeof kinds)[number]
    return [kind, path()]
  })
}

const ATTEMPTS = 10

/** The answer of a path. 503 means again in a second, as for a query that a standby cancels. */
async function answerOf(api: ApiClient, chain: string, path: string): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await api.get(chain, path)
    if (answer.status !== 503 || attempt === ATTEMPTS) return answer
    await delay(1000)
  }
}

/** @param rate requests a second in all; @param seconds duration */
export async function hotReads(api: ApiClient, chain: string, rate: number, seconds: number): Promise<HotReads> {
  const paths = await hotPaths(api, chain, 7 * 300)
  const kinds = new Map<string, number[]>()
  const digest = createHash('sha256')
  for (const [kind, path] of paths) {
    const { status, body, ms } = await answerOf(api, chain, path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
    digest.update(body)
    kinds.set(kind, [...(kinds.get(kind) ?? []), ms])
  }
  for (const times of kinds.values()) times.sort((a, b) => a - b)
  const times: number[] = []
  let failures = 0
  await autocannon({
    url: `http://127.0.0.1:${api.port}`,
    connections: 10,
    overallRate: rate,
    duration: seconds,
    headers: { host: `${chain}.localhost` },
    requests: paths.map(([, path]) => ({ method: 'GET', path })),
    setupClient: (client) => {
      client.on('response', (status, _bytes, milliseconds) => {
        if (status !== 200) failures++
        times.push(milliseconds)
      })
    },
  })
  times.sort((a, b) => a - b)
  return { failures, times, digest: digest.digest('hex').slice(0, 16), kinds }
}
