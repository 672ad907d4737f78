// A typed client of Headwater: one function for every endpoint, typed by its path, and an iterator over lists. Has no
// dependencies; needs `fetch`, so Node 20 or a browser. Imports end in `.js` because the compiler copies them unchanged
// into the declarations.
import { FACTS_PATH, type FactMessage, messagesOf } from './facts.js'
import type { Body, Id, ListPath, Parameters, Path, Posted, PostPath, Rest, Row, Sent, StreamPath } from './types.js'

export type { FactMessage } from './facts.js'

export type { paths } from './generated/openapi.js'
export type { Body, Id, ListPath, Parameters, Path, Posted, PostPath, Row, Sent } from './types.js'

/** Headers by name. Undefined headers are not sent. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

export interface ClientOptions {
  /** URL of the service of one chain: `https://wax.example.org`, or `https://example.org/wax` where one host has several. */
  baseUrl: string
  /** Sent with every request. A function is called for each request with its URL. */
  headers?: RequestHeaders | ((url: string) => RequestHeaders | Promise<RequestHeaders>)
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
  /** Number of answers to cache and revalidate by ETag. Default 0: no cache. */
  keep?: number
}

export type Given<P extends Path> = Parameters<P> & { signal?: AbortSignal | undefined }
export type GivenToPost<P extends PostPath> = Sent<P> & { signal?: AbortSignal | undefined }

export type GivenToFacts = Parameters<StreamPath> & { signal?: AbortSignal | undefined }

export interface Answer<T> {
  body: T
  /** The block that the answer reflects, and its ISO 8601 time; null when the endpoint depends on no block. */
  block: number | null
  blockTime: string | null
  /** URL of the next page of a list; null on the last page. */
  next: string | null
}

export interface Client {
  /** The body of an endpoint's answer. @throws ApiError for any status but 200 and 201 */
  get<P extends Path>(path: P, ...rest: Rest<Given<P>>): Promise<Body<P>>
  /** The body with the block that it reflects. @throws ApiError */
  ask<P extends Path>(path: P, ...rest: Rest<Given<P>>): Promise<Answer<Body<P>>>
  /**
   * Iterates over every row of a list, from its start (or from `skip` or `cursor`) to its end, page by page. `limit` is
   * the page size. Rows that arrive meanwhile are neither lost nor repeated. @throws ApiError
   */
  rows<P extends ListPath>(path: P, ...rest: Rest<Given<P>>): AsyncGenerator<Row<P>, void, undefined>
  /** Sends a JSON body and returns the body of the answer. @throws ApiError for any status but 200 and 201 */
  post<P extends PostPath>(path: P, ...rest: Rest<GivenToPost<P>>): Promise<Posted<P>>
  /**
   * Facts as they come, in the messages of `/api/v3/stream/facts`. Ends with the connection: ask again with the cursor of
   * the last message, and nothing is lost or repeated. @throws ApiError when the service refuses the request
   */
  facts(given?: GivenToFacts): AsyncGenerator<FactMessage, void, undefined>
}

/** An unsuccessful answer. `body` is the parsed JSON, or the text if the answer is not JSON. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly body: unknown
  readonly url: string
  /** Seconds after which to retry; null when the service does not say. */
  readonly retryAfter: number | null

  constructor(url: string, response: Response, body: unknown) {
    super(`${response.status} ${reasonOf(body)} (${url})`)
    this.url = url
    this.status = response.status
    this.body = body
    this.retryAfter = secondsOf(response.headers.get('retry-after'))
  }
}

/** A number of seconds, or a date. @returns null for any other text */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter)
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

interface Asked {
  path?: Record<string, Id>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** @throws TypeError when `baseUrl` is not a URL */
export function createClient({ baseUrl, headers = {}, fetch: send = fetch, keep = 0 }: ClientOptions): Client {
  const base = new URL(baseUrl).href.replace(/\/+$/, '')
  const kept = new Map<string, { tag: string; answer: Answer<unknown> }>()

  /** @param own  headers set by this client; they override those of the options */
  async function request(url: string, own: RequestHeaders, rest: RequestInit): Promise<Response> {
    const sent = new Headers()
    const given = typeof headers === 'function' ? await headers(url) : headers
    for (const [name, value] of [...Object.entries(given), ...Object.entries(own)])
      if (value !== undefined) sent.set(name, value)
    return send(url, { ...rest, headers: sent })
  }

  async function load(url: string, signal?: AbortSignal): Promise<Answer<unknown>> {
    const known = kept.get(url)
    // Without `no-store` a browser would answer from its own cache and hide the 304.
    const caching = known === undefined ? {} : { cache: 'no-store' as const }
    const response = await request(url, { 'if-none-match': known?.tag }, { ...caching, signal: signal ?? null })
    if (response.status === 304 && known !== undefined) return { ...known.answer, ...blockOf(response) }
    const answer = { body: await bodyOf(response, url), ...blockOf(response), next: nextOf(response, url) }
    const tag = response.headers.get('etag')
    kept.delete(url)
    if (keep > 0 && tag !== null) kept.set(url, { tag, answer })
    if (kept.size > keep) kept.delete(kept.keys().next().value as string)
    return answer
  }

  const ask = (path: string, asked: Asked = {}) => load(base + addressOf(path, asked), asked.signal)
  async function* rows(path: string, asked: Asked = {}) {
    for (let page = await ask(path, asked); ; page = await load(page.next, asked.signal)) {
      yield* page.body as unknown[]
      if (page.next === null) return
    }
  }
  async function post(path: string, asked: Asked = {}) {
    const url = base + addressOf(path, asked)
    const signal = asked.signal ?? null
    if (asked.body === undefined) return bodyOf(await request(url, {}, { method: 'POST', signal }), url)
    const sent = { method: 'POST', body: JSON.stringify(asked.body), signal }
    return bodyOf(await request(url, { 'content-type': 'application/json' }, sent), url)
  }
  async function* facts({ signal, ...asked }: Asked = {}) {
    const url = base + addressOf(FACTS_PATH, asked)
    const response = await request(url, { accept: 'text/event-stream' }, { signal: signal ?? null })
    if (response.status !== 200) throw new ApiError(url, response, await contentOf(response))
    yield* messagesOf(response)
  }
  const get = async (path: string, asked?: Asked) => (await ask(path, asked)).body
  // The types come from the description; at run time one function serves all paths.
  return { ask, facts, get, post, rows } as unknown as Client
}

/** @throws ApiError for any status but 200 and 201 */
async function bodyOf(response: Response, url: string): Promise<unknown> {
  const body = await contentOf(response)
  if (response.status !== 200 && response.status !== 201) throw new ApiError(url, response, body)
  return body
}

/** Parsed JSON, or the text. */
async function contentOf(response: Response): Promise<unknown> {
  return parse(await response.text(), response.headers.get('content-type'))
}

/** Path and query with parameters filled in. Undefined and null parameters are omitted. */
function addressOf(template: string, { path = {}, query = {} }: Asked): string {
  const filled = template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = path[name]
    if (value === undefined || value === null) throw new TypeError(`${template} needs the path parameter ${name}`)
    return encodeURIComponent(String(value))
  })
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (given.length === 0) return filled
  return `${filled}?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`
}

function blockOf({ headers }: Response): Pick<Answer<unknown>, 'block' | 'blockTime'> {
  const block = headers.get('x-block-num')
  return { block: block === null ? null : Number(block), blockTime: headers.get('x-block-time') }
}

function nextOf({ headers }: Response, url: string): string | null {
  const link = /<([^>]+)>\s*;\s*rel="?next"?/.exec(headers.get('link') ?? '')
  // Keeps the requested path: a proxy may publish the API under another one.
  return link === null ? null : url.split('?')[0] + new URL(link[1] as string, url).search
}

function parse(text: string, type: string | null): unknown {
  return type?.startsWith('application/json') ? JSON.parse(text) : text
}

function reasonOf(body: unknown): string {
  const { message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return String(message ?? error ?? body).slice(0, 200)
}
