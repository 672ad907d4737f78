// Requests the USD price of a system token from servers and stores it. One quote for each minute is enough, because
// prices are used by the minute. While no server answers, the newest quote is used until it expires.
import { RetryableError } from '../../core/errors.ts'
import { parseUsdPrice } from '../../core/price/token-price.ts'
import { requestJson } from '../../net/http.ts'
import { onConnection } from '../store/connection.ts'
import { ADD_QUOTE, SESSION } from './sql.ts'

/** A server, and the path of the price in its answer. */
export interface QuoteServer {
  url: string
  /** Member names or list indices, joined by dots. Member names may contain dots. */
  path: string
}

export interface QuoteOptions {
  chain: string
  databaseUrl: string
  /** Tried in this order until one answers with a price. */
  servers: readonly QuoteServer[]
  /** Timeout of one answer, ms. Default 10,000. */
  timeoutMs?: number
}

const MAX_BYTES = 1 << 20

/**
 * Requests a quote and stores it.
 *
 * @returns the price as decimal text
 * @throws RetryableError NO_QUOTE with the failure of each server, DATABASE_UNAVAILABLE
 */
export async function quoteUsd({ chain, databaseUrl, servers, timeoutMs = 10_000 }: QuoteOptions): Promise<string> {
  const failures: string[] = []
  for (const server of servers) {
    try {
      const usd = await ask(server, timeoutMs)
      await storeQuote(databaseUrl, chain, usd, new URL(server.url).host)
      return usd
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failures.push(error.message)
    }
  }
  throw new RetryableError('NO_QUOTE', `${chain}: no server answers with the USD price: ${failures.join('; ')}`, {
    hint: `are price.url, price.path and price.fallbacks of ${chain} right? The last price holds until it is too old`,
    place: { chain },
  })
}

/** The failure of a server. */
class Refusal extends Error {}

async function ask({ url, path }: QuoteServer, timeoutMs: number): Promise<string> {
  const { host } = new URL(url)
  const found = memberAt(await readJson(url, host, timeoutMs), path.split('.'))
  const text = typeof found === 'number' ? found.toFixed(16) : found
  if (typeof text !== 'string') throw new Refusal(`${host}: there is no ${path} in the answer`)
  if (parseUsdPrice(text) === null) throw new Refusal(`${host}: ${JSON.stringify(found)} is not a price`)
  return text
}

async function readJson(url: string, host: string, timeoutMs: number): Promise<unknown> {
  try {
    return await requestJson(url, { timeoutMs, maxBytes: MAX_BYTES })
  } catch (error) {
    throw new Refusal(`${host}: ${(error as Error).message}`)
  }
}

/** Member at a path. Also tries names that contain dots, the shortest first. */
function memberAt(value: unknown, names: readonly string[]): unknown {
  if (names.length === 0) return value
  if (typeof value !== 'object' || value === null) return undefined
  for (let length = 1; length <= names.length; length++) {
    const name = names.slice(0, length).join('.')
    if (!Object.hasOwn(value, name)) continue
    const found = memberAt((value as Record<string, unknown>)[name], names.slice(length))
    if (found !== undefined) return found
  }
  return undefined
}

async function storeQuote(databaseUrl: string, chain: string, usd: string, source: string): Promise<void> {
  // A quote becomes valid after QUOTE_DELAY. If stored later, some processes would use it and others not.
  const session = `${SESSION}; set statement_timeout = '20s'`
  await onConnection({ databaseUrl, name: 'quote', chain, session }, (client) =>
    client.query(ADD_QUOTE, [chain, usd, source]),
  )
}
