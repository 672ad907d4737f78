// The most frequent requests of clients, all kinds mixed, at a fixed rate.
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Random } from '../../test/support/random.ts'
import { evenLoad } from '../support/even-load.ts'
import type { Answer, ApiClient } from './server.ts'

export interface HotReads {
  failures: number
  /** Response times in milliseconds, ascending: of all requests, and by kind. */
  times: number[]
  loaded: Map<string, number[]>
  /** How much later than due the generator sent each request, milliseconds, ascending. It is part of the times. */
  late: number[]
  /** Slowest response in each second of the load, milliseconds. */
  worst: number[]
  /** Digest over the first answers of the first process to one request to each path, in order. */
  digest: string
  /** Response times of the first requests to all processes in milliseconds, ascending, by kind. */
  kinds: Map<string, number[]>
}

type Path = [kind: string, path: string]

/** Paths of every kind in turn. Busy pools and markets are requested more often. */
export async function hotPaths(api: ApiClient, chain: string, count: number): Promise<Path[]> {
  const ids = async (path: string, name: string) =>
    (JSON.parse((await answerOf(api, chain, path)).body.toString()) as Record<string, string>[]).map((one) => one[name])
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

/**
 * Asks every process for each path once, then sends the load.
 *
 * @param api        of the load: a process, or the balancer before them
 * @param rate       requests a second in all; @param seconds duration
 * @param processes  all that answer
 * @param onStart    called when the load begins
 */
export async function hotReads(
  api: ApiClient,
  chain: string,
  rate: number,
  seconds: number,
  processes: readonly ApiClient[] = [api],
  onStart: () => void = () => {},
): Promise<HotReads> {
  const paths = await hotPaths(api, chain, 7 * 300)
  const kinds = new Map<string, number[]>()
  const digest = createHash('sha256')
  for (const [i, process] of processes.entries())
    for (const [kind, path] of paths) {
      const { status, body, ms } = await answerOf(process, chain, path)
      if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
      if (i === 0) digest.update(body)
      put(kinds, kind, ms)
    }
  onStart()
  const sent = await evenLoad({ port: api.port, host: `${chain}.localhost`, rate, seconds, paths })
  const loaded = new Map<string, number[]>()
  const worst: number[] = Array.from({ length: Math.ceil(seconds) }, () => 0)
  for (const { kind, due, ms } of sent) {
    put(loaded, kind, ms)
    const second = Math.floor(due / 1000)
    worst[second] = Math.max(worst[second] ?? 0, ms)
  }
  for (const times of [...kinds.values(), ...loaded.values()]) times.sort((a, b) => a - b)
  return {
    failures: sent.filter(({ status }) => status !== 200).length,
    times: sent.map(({ ms }) => ms).sort((a, b) => a - b),
    late: sent.map(({ late }) => late).sort((a, b) => a - b),
    ...{ loaded, worst, kinds, digest: digest.digest('hex').slice(0, 16) },
  }
}

function put(times: Map<string, number[]>, kind: string, ms: number): void {
  const own = times.get(kind) ?? []
  own.push(ms)
  times.set(kind, own)
}
