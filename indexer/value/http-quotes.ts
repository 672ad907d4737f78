// Asks servers for the USD price of a system token and keeps what they answer. One answer a minute is enough: prices are
// used by the minute. The newest quote stands in while no server answers, until it is too old.
import { RetryableError } from '../../core/errors.ts'
import { parseUsdPrice } from '../../core/price/token-price.ts'
import { requestJson } from '../../net/http.ts'
import { onConnection } from '../store/connection.ts'
import { ADD_QUOTE, SESSION } from './sql.ts'

/** A server, and where the price is in its answer. */
export interface QuoteServer {
  url: string
  /** Member names, or places in lists, joined by dots; a member whose name has dots is found too. */
  path: string
}

export interface QuoteOptions {
  chain: string
  databaseUrl: string
  /** Asked in this order until one answers with a price. */
  servers: readonly QuoteServer[]
  /** For one answer. Default 10,000. */
  timeoutMs?: number
}

const MAX_BYTES = 1 << 20

/**
 * Asks and keeps the answer.
 *
 * @returns the price as decimal text
 * @throws RetryableError NO_QUOTE that says what each server did wrong, DATABASE_UNAVAILABLE
 */
export async function quoteUsd({ chain, databaseUrl, servers, timeoutMs = 10_000 }: QuoteOptions): Promise<string> {
  const failures: string[] = []
  for (const server of servers) {
    try {
      const usd = await ask(server, timeoutMs)
      await keep(databaseUrl, chain, usd, new URL(server.url).host)
      return usd
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failures.push(error.message)
    }
  }
  throw new RetryableError('NO_QUOTE', `${chain}: no server tells the USD price: ${failures.join('; ')}`, {
    hint: `are price.url, price.path and price.fallbacks of ${chain} right? The last price holds until it is too old`,
    place: { chain },
  })
}

/** What a server did wrong. */
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

/** Names that hold dots themselves are tried as well, the shortest first. */
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

async function keep(databaseUrl: string, chain: string, usd: string, source: string): Promise<void> {
  // A quote that is kept late would be in force before everybody can see it.
  const session = `${SESSION}; set statement_timeout = '20s'`
  await onConnection({ databaseUrl, name: 'quote', chain, session }, (client) =>
    client.query(ADD_QUOTE, [chain, usd, source]),
  )
}
