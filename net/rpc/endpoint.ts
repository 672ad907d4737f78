// One JSON-RPC endpoint over HTTP: batches, timeout, rate limit, and classification of errors. Does not retry: the pool
// of endpoints does, because it may have a better one.
import { HttpError, request, withoutSecrets } from '../http.ts'
import { RpcError, type RpcErrorOptions, TooMuchError } from './errors.ts'
import { RateLimit } from './rate-limit.ts'

export interface Call {
  method: string
  params: readonly unknown[]
}

export interface EndpointOptions {
  chain: string
  url: string
  timeoutMs: number
  /** Requests per second; 0: no limit. */
  requestsPerSecond: number
  /** Limit of requests in a batch. */
  batch: number
  /** Size limit of an answer, bytes. */
  maxBytes: number
}

interface Answer {
  id?: unknown
  result?: unknown
  error?: { code?: number; message?: string; data?: unknown } | null
}

/** Texts by which providers refuse a query as too large; they use different codes. */
const TOO_MUCH =
  /more than \d+ results|too many (results|logs)|(block )?range.*(large|limit|exceed|too|max)|exceed.*(range|limit|size)|limit(ed)? (to|exceeded)|response (size|is too)|query timeout|too large/i
/** "Limit exceeded" of EIP-1474. Means a too large query, unless the text matches LOAD. */
const LIMIT_EXCEEDED = -32005
const NO_METHOD = -32601
const NO_METHOD_TEXT =
  /\bmethod\b.*\bnot (found|supported|available|allowed|whitelisted)|unsupported method|does not exist/i
const LOAD = /\brate\b|too many requests|capacity|compute units|per second|daily/i

export class Endpoint {
  readonly url: string
  /** Scheme and host of the URL, without secrets. */
  readonly name: string
  readonly #options: EndpointOptions
  readonly #limit: RateLimit
  #id = 0

  constructor(options: EndpointOptions) {
    this.url = options.url
    this.name = withoutSecrets(options.url)
    this.#options = options
    this.#limit = new RateLimit(options.requestsPerSecond)
  }

  /** @throws RpcError EVM_RPC, EVM_RATE_LIMIT; TooMuchError EVM_TOO_MUCH */
  async call<T>(method: string, params: readonly unknown[], signal: AbortSignal): Promise<T> {
    const [result] = await this.batch<T>([{ method, params }], signal)
    return result as T
  }

  /** Results in the order of the calls, in as many batches as needed. @throws as `call` */
  async batch<T>(calls: readonly Call[], signal: AbortSignal): Promise<T[]> {
    const size = Math.min(this.#options.batch, this.#limit.largest)
    const results: T[] = []
    for (let i = 0; i < calls.length; i += size) {
      const part = calls.slice(i, i + size)
      await this.#limit.take(part.length, signal)
      results.push(...((await this.#send(part, signal)) as T[]))
    }
    return results
  }

  error(code: string, what: string, options?: RpcErrorOptions): RpcError {
    return new RpcError(code, this.#options.chain, this.url, what, options)
  }

  async #send(calls: readonly Call[], signal: AbortSignal): Promise<unknown[]> {
    const first = this.#id
    const requests = calls.map((call) => ({ jsonrpc: '2.0', id: this.#id++, ...call }))
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests)
    const answer = await this.#post(body, signal)
    if (!Array.isArray(answer)) {
      // A single error instead of a list: the whole batch was refused.
      if (calls.length > 1) throw this.#refusal(answer as Answer, 'a batch')
      return [this.#resultOf(answer as Answer, calls[0] as Call)]
    }
    const byId = new Map(answer.map((one: Answer) => [Number(one?.id), one]))
    return calls.map((call, index) => this.#resultOf(byId.get(first + index) ?? {}, call))
  }

  async #post(body: string, signal: AbortSignal): Promise<unknown> {
    const { timeoutMs, maxBytes } = this.#options
    try {
      const { status, headers, text } = await request(this.url, { body, timeoutMs, maxBytes, signal })
      if (status < 200 || status > 299) throw this.#httpError(status, headers, text)
      return JSON.parse(text)
    } catch (error) {
      if (error instanceof RpcError) throw error
      const { message } = error as Error
      if (error instanceof HttpError && error.reason === 'too-large') throw this.#tooMuch(message)
      throw this.error('EVM_RPC', message, { cause: error })
    }
  }

  #httpError(status: number, headers: Headers, text: string): RpcError {
    const what = `status ${status} ${text.slice(0, 200)}`
    if (status === 413) return this.#tooMuch(what)
    if (status !== 429) return this.error('EVM_RPC', what)
    const seconds = Number(headers.get('retry-after'))
    return this.error('EVM_RATE_LIMIT', 'too many requests', {
      pauseMs: seconds > 0 ? Math.min(seconds, 120) * 1000 : 1000,
    })
  }

  #resultOf({ result, error }: Answer, call: Call): unknown {
    if (error) throw this.#refusal({ error }, call.method)
    if (result === undefined) throw this.error('EVM_RPC', `no answer to ${call.method}`)
    return result
  }

  #refusal({ error }: Answer, what: string): RpcError {
    const { code, message = 'no reason', data } = error ?? {}
    const text = `${what} is refused: ${String(message).slice(0, 300)} (${code})`
    if (code === NO_METHOD || NO_METHOD_TEXT.test(message)) return this.error('EVM_NO_METHOD', text)
    if (data === undefined && LOAD.test(message)) return this.error('EVM_RATE_LIMIT', text, { pauseMs: 1000 })
    if (data === undefined && (code === LIMIT_EXCEEDED || TOO_MUCH.test(message))) return this.#tooMuch(text)
    return this.error('EVM_RPC', text, { data })
  }

  #tooMuch(what: string): TooMuchError {
    return new TooMuchError('EVM_TOO_MUCH', this.#options.chain, this.url, what)
  }
}
