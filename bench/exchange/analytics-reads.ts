// Requests to every endpoint of the analytics and the feed at a fixed rate: lists of every sort and window, searches,
// pages.
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Random } from '../../test/support/random.ts'
import type { ApiProcess } from './server.ts'

/** Response times in milliseconds, ascending, by kind of request. */
export type Times = Map<string, number[]>

export interface Load {
  failures: number
  kinds: Times
}

type Make = () => string

/** Concurrent connections of the load. */
const CONNECTIONS = 16

/** Makes each path unique, so that no answer comes from a cache. */
let requests = 0
function unique(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}again=${requests++}`
}

const WINDOWS = ['24h', '7d', '30d', '90d', 'all']

/** Paths of each kind, as clients might request them. */
async function kindsOf(api: ApiProcess, chain: string): Promise<[kind: string, make: Make][]> {
  const json = async (path: string) => JSON.parse((await api.get(chain, path)).body.toString())
  const tokens = (await json('/api/v2/tokens')).map((one: { id: string }) => one.id) as string[]
  const feed = (await json('/api/v3/feed/tickers')) as { ticker_id: string; type: string }[]
  const merged = (await json('/api/v3/feed/cmc/tickers')) as { ticker_id: string; bid?: number }[]
  const system = (await json('/api/v3/analytics/overview')).meta.baseToken as string
  const random = new Random(1)
  const pick = (size: number) => Math.floor(size * random.next() ** 3)
  const of = <T>(items: readonly T[]) => items[pick(items.length)] as T
  const any = <T>(items: readonly T[]) => items[Math.floor(items.length * random.next())] as T
  const v3 = '/api/v3/analytics'
  const list = () =>
    `window=${any(WINDOWS)}&order=${any(['asc', 'desc'])}&page=${1 + pick(5)}&limit=${any([10, 50, 50, 100])}`
  const now = Math.floor(Date.now() / 86_400_000) * 86_400
  const day = () => now - 86_400 * (1 + pick(200))
  const books = feed.filter(({ type }) => type === 'orderbook')
  const mergedBooks = merged.filter(({ bid }) => bid !== undefined)
  const kinds: [string, Make][] = [
    ...WINDOWS.map((window): [string, Make] => [`overview ${window}`, () => `${v3}/overview?window=${window}`]),
    ['overview with farms', () => `${v3}/overview?include=incentives&window=${any(WINDOWS)}`],
    [
      'tokens',
      () => `${v3}/tokens?sort=${any(['score', 'volume', 'tvl', 'locked', 'holders', 'age', 'tx', 'price'])}&${list()}`,
    ],
    ['tokens by search', () => `${v3}/tokens?search=${of(tokens).slice(0, 3)}&hide_scam=true&${list()}`],
    ['a token', () => `${v3}/tokens/${tokens[1 + pick(tokens.length - 1)]}?window=${any(WINDOWS)}`],
    ['the system token', () => `${v3}/tokens/${system}?window=30d`],
    ['pools', () => `${v3}/pools?sort=${any(['volume', 'tvl', 'apr'])}&include=tx&${list()}`],
    ['500 pools', () => `${v3}/pools?limit=500&window=${any(WINDOWS)}&page=${1 + pick(10)}`],
    ['pools with farms', () => `${v3}/pools?sort=apr&include=incentives&hide_scam=true&${list()}`],
    ['pools by search', () => `${v3}/pools?search=${system}/${of(tokens).split('-')[0]}&${list()}`],
    ['pools of an account', () => `${v3}/pools?account=user${any([...'abcdefghij']).repeat(6)}`],
    ['a pool', () => `${v3}/pools/${pick(6000)}?window=${any(WINDOWS)}`],
    ['a pool with farms', () => `${v3}/pools/${pick(300)}?include=incentives&incentives=all`],
    ['pairs', () => `${v3}/spot-pairs?sort=${any(['volume', 'price'])}&${list()}`],
    ['a pair', () => `${v3}/spot-pairs/${pick(1600)}`],
    ['charts', () => `${v3}/global/charts?window=${any(['24h', '7d', '30d', '90d'])}&resolution=${any(['1h', '1d'])}`],
    ['charts of all days', () => `${v3}/global/charts?window=all&resolution=1d`],
    ['charts of all weeks', () => `${v3}/global/charts?window=all&resolution=1w`],
    ['bans', () => `${v3}/bans/accounts`],
    ['v2 global', () => `/api/v2/analytics/global?resolution=${any(['1D', '1W', '1M'])}`],
    ['v2 volume', () => `/api/v2/analytics/volume?start_time=${day()}&end_time=${now + pick(1000)}`],
    ['v2 charts', () => `/api/v2/analytics/charts?resolution=${any(['1D', '1W', '1M'])}`],
    ['v2 charts of all days', () => '/api/v2/analytics/charts?resolution=ALL'],
    ['feed pairs', () => '/api/v3/feed/pairs'],
    ['feed tickers', () => '/api/v3/feed/tickers'],
    ['feed trades', () => `/api/v3/feed/historical_trades?ticker_id=${of(feed).ticker_id}`],
    ['merged tickers', () => '/api/v3/feed/cmc/tickers'],
    ['merged summary', () => '/api/v3/feed/cmc/summary'],
    ['feed status', () => '/api/v3/feed/status'],
    ['feed check', () => '/api/v3/feed/check'],
  ]
  if (books.length > 0) kinds.push(['feed order book', () => `/api/v3/feed/orderbook?ticker_id=${of(books).ticker_id}`])
  if (merged.length > 0)
    kinds.push(['merged trades', () => `/api/v3/feed/cmc/historical_trades?ticker_id=${of(merged).ticker_id}`])
  if (mergedBooks.length > 0)
    kinds.push(['merged order book', () => `/api/v3/feed/cmc/orderbook?ticker_id=${of(mergedBooks).ticker_id}`])
  return kinds
}

export interface Alone {
  /** Response times in milliseconds, ascending. */
  ms: number[]
  /** Total bytes of the answers. */
  bytes: number
}

/**
 * Requests of each kind one at a time, on chains without new blocks: the time to make one answer. Chains take turns, so
 * that other load on the machine affects all of them.
 *
 * @returns by chain, then by kind
 */
export async function alone(
  api: ApiProcess,
  chains: readonly string[],
  repeats: number,
): Promise<Map<string, Map<string, Alone>>> {
  const found = new Map(chains.map((chain) => [chain, new Map<string, Alone>()]))
  const makers = new Map<string, Map<string, Make>>()
  for (const chain of chains) makers.set(chain, new Map(await kindsOf(api, chain)))
  const kinds = new Set([...makers.values()].flatMap((made) => [...made.keys()]))
  for (const kind of kinds)
    for (let i = 0; i < repeats; i++)
      for (const [chain, made] of makers) {
        const make = made.get(kind)
        if (make === undefined) continue
        const own = found.get(chain)?.get(kind) ?? { ms: [], bytes: 0 }
        found.get(chain)?.set(kind, own)
        const path = unique(make())
        const { status, body, ms } = await api.get(chain, path)
        if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
        own.ms.push(ms)
        own.bytes += body.length
      }
  for (const own of found.values()) for (const { ms } of own.values()) ms.sort((a, b) => a - b)
  return found
}

/**
 * All kinds mixed, each request sent at its time even if earlier ones are pending. Waiting for a free connection counts
 * as response time.
 *
 * @param rate  requests a second in all; @param seconds  duration
 */
export async function mixed(api: ApiProcess, chain: string, rate: number, seconds: number): Promise<Load> {
  const kinds = await kindsOf(api, chain)
  const load: Load = { failures: 0, kinds: new Map(kinds.map(([kind]) => [kind, []])) }
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const headers = { host: `${chain}.localhost` }
  const ask = (path: string, times: number[]) =>
    new Promise<void>((resolve) => {
      const started = performance.now()
      const fail = () => {
        load.failures++
        resolve()
      }
      http
        .get({ host: '127.0.0.1', port: api.port, path, agent, headers }, (response) => {
          response.on('end', () => {
            if (response.statusCode !== 200) return fail()
            times.push(performance.now() - started)
            resolve()
          })
          response.on('error', fail)
          response.resume()
        })
        .on('error', fail)
    })
  const begun = performance.now()
  const answers: Promise<void>[] = []
  for (let i = 0; i < rate * seconds; i++) {
    const early = begun + (i * 1000) / rate - performance.now()
    if (early > 1) await delay(early)
    const [kind, make] = kinds[i % kinds.length] as (typeof kinds)[number]
    answers.push(ask(make(), load.kinds.get(kind) as number[]))
  }
  await Promise.all(answers)
  agent.destroy()
  for (const times of load.kinds.values()) times.sort((a, b) => a - b)
  return load
}
