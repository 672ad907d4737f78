// A typed client of Headwater: one function for every endpoint, typed by its path, and an iterator over lists.
// Has no dependencies; needs `fetch`, so Node 20 or a browser. Imports end in `.js`: the compiler copies them into the
// declarations as they are.
import type { Body, Id, ListPath, Parameters, Path, Posted, PostPath, Rest, Row, Sent } from './types.js'

export type { paths } from './generated/openapi.js'
export type { Body, Id, ListPath, Parameters, Path, Posted, PostPath, Row, Sent } from './types.js'

/** By name; a header that is undefined is not sent. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

export interface ClientOptions {
  /** Address of the service of one chain, such as `https://wax.example.org`. */
  baseUrl: string
  /** Sent with every request. A function is called for each request, with its address. */
  headers?: RequestHeaders | ((url: string) => RequestHeaders | Promise<RequestHeaders>)
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch
  /** Answers to keep and to ask for again by their ETag; 0, the default, keeps none. */
  keep?: number
}

export type Given<P extends Path> = Parameters<P> & { signal?: AbortSignal | undefined }
export type GivenToPost<P extends PostPath> = Sent<P> & { signal?: AbortSignal | undefined }

export interface Answer<T> {
  body: T
  /** The block that the answer reflects, and its ISO 8601 time; null where the endpoint speaks of none. */
  block: number | null
  blockTime: string | null
  /** Address of the next page of a list, null on the last one. */
  next: string | null
}

export interface Client {
  /** The body that an endpoint answers. @throws ApiError for any status but 200 */
  get<P extends Path>(path: P, ...rest: Rest<Given<P>>): Promise<Body<P>>
  /** The same with the block that it reflects. @throws ApiError */
  ask<P extends Path>(path: P, ...rest: Rest<Given<P>>): Promise<Answer<Body<P>>>
  /**
   * Every row of a list from its start (or from `skip` or `cursor`) to its end, page after page. `limit` is the size of
   * a page. Rows that arrive meanwhile are neither lost nor repeated. @throws ApiError
   */
  rows<P extends ListPath>(path: P, ...rest: Rest<Given<P>>): AsyncGenerator<Row<P>, void, undefined>
  /** Sends a body as JSON, and returns the body of the answer. @throws ApiError for any status but 200 and 201 */
  post<P extends PostPath>(path: P, ...rest: Rest<GivenToPost<P>>): Promise<Posted<P>>
}

/** An answer that is not the wanted one. `body` is the parsed JSON, or the text where the service answers with text. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly body: unknown
  readonly url: string
  /** Seconds after which to try again; null when the service does not say. */
  readonly retryAfter: number | null

  constructor(url: string, response: Response, body: unknown) {
    super(`${response.status} ${reasonOf(body)} (${url})`)
    this.url = url
    this.status = response.status
    this.body = body
    const seconds = response.headers.get('retry-after')
    this.retryAfter = seconds === null ? null : Number(seconds)
  }
}

interface Asked {
  path?: Record<string, Id>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** @throws TypeError when `baseUrl` is no address */
export function createClient({ baseUrl, headers = {}, fetch: send = fetch, keep = 0 }: ClientOptions): Client {
  const base = new URL(baseUrl).href.replace(/\/+$/, '')
  const kept = new Map<string, { tag: string; answer: Answer<unknown> }>()

  /** @param own  headers that this client needs: they win over those of the options */
  async function request(url: string, own: RequestHeaders, rest: RequestInit): Promise<Response> {
    const sent = new Headers()
    const given = typeof headers === 'function' ? await headers(url) : headers
    for (const [name, value] of [...Object.entries(given), ...Object.entries(own)])
      if (value !== undefined) sent.set(name, value)
    return send(url, { ...rest, headers: sent })
  }

  async function load(url: string, signal?: AbortSignal): Promise<Answer<unknown>> {
    const known = kept.get(url)
    // Without `no-store` a browser answers from its own cache and hides the 304.
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
  const get = async (path: string, asked?: Asked) => (await ask(path, asked)).body
  // The types are those of the description; what runs is one function for all paths.
  return { ask, get, post, rows } as unknown as Client
}

/** @throws ApiError for any status but 200 and 201 */
async function bodyOf(response: Response, url: string): Promise<unknown> {
  const body = parse(await response.text(), response.headers.get('content-type'))
  if (response.status !== 200 && response.status !== 201) throw new ApiError(url, response, body)
  return body
}

/** Path and query with the parameters in place. Those that are undefined or null are left out. */
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
  // The address that was asked stays: a proxy may have it under another path.
  return link === null ? null : url.split('?')[0] + new URL(link[1] as string, url).search
}

function parse(text: string, type: string | null): unknown {
  return type?.startsWith('application/json') ? JSON.parse(text) : text
}

function reasonOf(body: unknown): string {
  const { message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return String(message ?? error ?? body).slice(0, 200)
}
