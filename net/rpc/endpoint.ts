// One JSON-RPC endpoint over HTTP: batches, timeout, rate limit, and classification of errors. Repeats only batches that
// are refused as too large, in smaller ones. All else is repeated by the pool of endpoints, which may have a better one.
import { HttpError, request, withoutSecrets } from '../http.ts'
import { RpcError, type RpcErrorOptions, TooMuchError } from './errors.ts'
import { RateLimit } from './rate-limit.ts'
import {
  errorOfBody,
  isRangeOfLogs,
  type JsonRpcError,
  type Meaning,
  meaningOfError,
  meaningOfStatus,
} from './refusal.ts'

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
  /** Limit of requests in a batch. The endpoint's own limit is found out. */
  batch: number
  /** Size limit of an answer, bytes. */
  maxBytes: number
}

interface Answer {
  id?: unknown
  result?: unknown
  error?: JsonRpcError | null
}

interface FailureOptions extends RpcErrorOptions {
  /** Undefined: a whole batch. */
  call: Call | undefined
}

/** A batch was refused as a whole; a smaller one may be accepted. Does not leave this module. */
class BatchRefusedError extends RpcError {}

export class Endpoint {
  readonly url: string
  /** Scheme and host of the URL, without secrets. */
  readonly name: string
  readonly #options: EndpointOptions
  readonly #limit: RateLimit
  /** Largest batch that the endpoint has not refused. */
  #batch: number
  #id = 0

  constructor(options: EndpointOptions) {
    this.url = options.url
    this.name = withoutSecrets(options.url)
    this.#options = options
    this.#limit = new RateLimit(options.requestsPerSecond)
    this.#batch = Math.min(options.batch, this.#limit.largest)
  }

  /** @throws RpcError EVM_RPC, EVM_RATE_LIMIT; TooMuchError EVM_TOO_MUCH */
  async call<T>(method: string, params: readonly unknown[], signal: AbortSignal): Promise<T> {
    const [result] = await this.batch<T>([{ method, params }], signal)
    return result as T
  }

  /** Results in the order of the calls, in as many batches as needed. @throws as `call` */
  async batch<T>(calls: readonly Call[], signal: AbortSignal): Promise<T[]> {
    const results: T[] = []
    while (results.length < calls.length) {
      const part = calls.slice(results.length, results.length + this.#batch)
      results.push(...((await this.#sendAccepted(part, signal)) as T[]))
    }
    return results
  }

  /**
   * Sends the first calls of a batch: all, and after each refusal half as many. The accepted number becomes the limit.
   *
   * @returns results of the calls that were sent
   */
  async #sendAccepted(calls: readonly Call[], signal: AbortSignal): Promise<unknown[]> {
    for (let size = calls.length; ; size >>= 1) {
      try {
        await this.#limit.take(size, signal)
        const results = await this.#send(calls.slice(0, size), signal)
        if (size < calls.length) this.#batch = size
        return results
      } catch (error) {
        if (!(error instanceof BatchRefusedError)) throw error
      }
    }
  }

  error(code: string, what: string, options?: RpcErrorOptions): RpcError {
    return new RpcError(code, this.#options.chain, this.url, what, options)
  }

  async #send(calls: readonly Call[], signal: AbortSignal): Promise<unknown[]> {
    const first = this.#id
    const requests = calls.map((call) => ({ jsonrpc: '2.0', id: this.#id++, ...call }))
    const answer = await this.#post(requests, calls, signal)
    const answers = (Array.isArray(answer) ? answer : [answer]) as Answer[]
    if (calls.length === 1) return [this.#resultOf(answers[0] ?? {}, calls[0] as Call)]
    // A single error instead of a list, or alone in it: the whole batch was refused.
    const [{ error = null } = {}] = answers
    if (answers.length === 1 && error !== null) throw this.#refusal(error, undefined)
    const byId = new Map(answers.map((one) => [Number(one?.id), one]))
    return calls.map((call, index) => this.#resultOf(byId.get(first + index) ?? {}, call))
  }

  async #post(requests: readonly object[], calls: readonly Call[], signal: AbortSignal): Promise<unknown> {
    const { timeoutMs, maxBytes } = this.#options
    const call = calls.length === 1 ? calls[0] : undefined
    const body = JSON.stringify(call === undefined ? requests : requests[0])
    try {
      const { status, headers, text } = await request(this.url, { body, timeoutMs, maxBytes, signal })
      if (status >= 200 && status <= 299) return JSON.parse(text)
      const error = errorOfBody(status, text)
      if (error !== null) throw this.#refusal(error, call)
      const what = status === 429 ? 'too many requests' : `status ${status} ${text.slice(0, 300)}`
      throw this.#failure(meaningOfStatus(status, headers, call), what, { call })
    } catch (error) {
      if (error instanceof RpcError) throw error
      const { message } = error as Error
      const isTooMuch =
        error instanceof HttpError && (error.reason === 'too-large' || (error.isTimeout && isRangeOfLogs(call)))
      throw this.#failure({ code: isTooMuch ? 'EVM_TOO_MUCH' : 'EVM_RPC' }, message, { call, cause: error })
    }
  }

  #resultOf({ result, error }: Answer, call: Call): unknown {
    if (error) throw this.#refusal(error, call)
    if (result === undefined) throw this.error('EVM_RPC', `no answer to ${call.method}`)
    return result
  }

  /** @param call  undefined: a whole batch */
  #refusal(error: JsonRpcError, call: Call | undefined): RpcError {
    const { code, message = 'no reason', data } = error
    const text = `${call?.method ?? 'a batch'} is refused: ${String(message).slice(0, 300)} (${code})`
    return this.#failure(meaningOfError(error, call), text, { call, data })
  }

  #failure(meaning: Meaning, what: string, { call, ...options }: FailureOptions): RpcError {
    const { chain } = this.#options
    if (meaning.code !== 'EVM_TOO_MUCH') return this.error(meaning.code, what, { ...options, ...meaning })
    const Failure = call === undefined ? BatchRefusedError : TooMuchError
    return new Failure(meaning.code, chain, this.url, what, options)
  }
}
