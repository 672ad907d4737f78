// ClickHouse over its HTTP interface.
import { RetryableError, UserError } from '../../../core/errors.ts'
import { type HttpAnswer, HttpError, request } from '../../../net/http.ts'

/** Timeout of a statement, ms. */
const STATEMENT_TIMEOUT_MS = 600_000
const MAX_ANSWER_BYTES = 64 * 2 ** 20
/**
 * Codes of transient exceptions, after which the statement is repeated: timeouts, load, memory, disk, too many parts, a
 * server that starts or stops.
 */
const TRANSIENT = new Set([159, 202, 209, 210, 241, 242, 243, 252, 394, 425, 999])
/** Codes of exceptions about the login. */
const LOGIN = new Set([192, 193, 194, 516])
/** Maximum length of a reason in a message, characters. */
const MAX_REASON = 400

export type Settings = Readonly<Record<string, string | number>>

export interface Statement {
  sql: string
  settings?: Settings
  /** Data of an `insert ... format ...`. */
  body?: Buffer
}

/** Sends a statement and returns its answer. */
export type Ask = (statement: Statement) => Promise<string>

export interface ClickHouseAddress {
  /** Address for messages, without the login. */
  text: string
  /** Default: `default`. */
  database: string
  /** Address of the HTTP interface, without the login and the database. */
  url: string
  headers: Record<string, string>
}

/** @param given  `http://USER:PASSWORD@HOST:8123/DATABASE` @throws UserError CLICKHOUSE_ADDRESS */
export function parseClickHouse(given: string): ClickHouseAddress {
  const url = URL.canParse(given) ? new URL(given) : null
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '') || 'default'
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || !/^\w+$/.test(database))
    throw new UserError('CLICKHOUSE_ADDRESS', 'this is no address of ClickHouse over HTTP', {
      hint: 'http://USER:PASSWORD@HOST:8123/DATABASE, or https and port 8443',
    })
  const { username, password } = url
  const headers: Record<string, string> = {}
  if (username !== '') headers['x-clickhouse-user'] = decodeURIComponent(username)
  if (password !== '') headers['x-clickhouse-key'] = decodeURIComponent(password)
  return { text: `${url.protocol}//${url.host}/${database}`, database, url: `${url.protocol}//${url.host}/`, headers }
}

/**
 * @returns a function that sends statements. It throws UserError CLICKHOUSE_REFUSED, CLICKHOUSE_LOGIN; RetryableError
 *   CLICKHOUSE_UNAVAILABLE
 */
export function connectClickHouse({ text, url, headers }: ClickHouseAddress, signal: AbortSignal): Ask {
  return async ({ sql, settings = {}, body }) => {
    const target = new URL(url)
    // With `wait_end_of_query` the HTTP status is sent after the whole statement, so it tells of every failure.
    const all = { ...settings, wait_end_of_query: 1, ...(body === undefined ? {} : { query: sql }) }
    for (const [name, value] of Object.entries(all)) target.searchParams.set(name, String(value))
    let answer: HttpAnswer
    try {
      answer = await request(target.href, {
        ...{ method: 'POST', timeoutMs: STATEMENT_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, signal, redirect: 'error' },
        body: body === undefined ? sql : new Uint8Array(body),
        headers: { ...headers, 'content-type': 'application/octet-stream' },
      })
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      throw unavailable(text, error.message, error)
    }
    if (answer.status === 200) return answer.text
    throw refusal(text, answer)
  }
}

function refusal(address: string, { status, headers, text }: HttpAnswer): Error {
  const reason = text.trim().slice(0, MAX_REASON) || `status ${status}`
  const code = Number(headers.get('x-clickhouse-exception-code') ?? /Code: (\d+)/.exec(text)?.[1] ?? 0)
  if (LOGIN.has(code) || status === 401 || status === 403)
    return new UserError('CLICKHOUSE_LOGIN', `${address}: ${reason}`, {
      hint: 'correct user and password in the address',
    })
  if (TRANSIENT.has(code) || (code === 0 && status >= 500)) return unavailable(address, reason)
  return new UserError('CLICKHOUSE_REFUSED', `${address}: ${reason}`, {
    hint: 'the login must create, read and insert into tables of the database; tables of another version are in the way: name an empty database',
  })
}

function unavailable(address: string, reason: string, cause?: unknown): RetryableError {
  return new RetryableError('CLICKHOUSE_UNAVAILABLE', `${address}: ${reason}`, {
    hint: 'is ClickHouse running and reachable? The same command continues where it stopped',
    cause,
  })
}
