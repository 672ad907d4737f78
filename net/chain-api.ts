// The chain API of an Antelope node (`/v1/chain/…`): sends one request, returns one JSON object. Callers decide which
// failures to retry, and under which error code to report them.
import { HttpError, type HttpRequest, request, withoutTrailingSlash } from './http.ts'

export type Json = Record<string, unknown>

type Bounds = Pick<HttpRequest, 'timeoutMs' | 'maxBytes' | 'signal'>

export interface ChainApiOptions extends Bounds {
  url: string
  /** Sends a request. Default: `request`, which follows redirects. `post` costs half the CPU time and does not. */
  send?: (url: string, body: string, bounds: Bounds) => Promise<{ status: number; text: string }>
}

/** The node did not answer, or the answer was too large or not a JSON object. */
export class ChainApiError extends Error {
  readonly reason: 'no-answer' | 'too-large' | 'malformed'

  constructor(reason: ChainApiError['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** An error that the node sent: status, class and text. 404 without a class: the node does not serve this path. */
export class NodeRefusal extends Error {
  readonly status: number
  /** `eosio_assert_message_exception`, ...; empty when the node sent none. */
  readonly kind: string

  constructor(status: number, kind: string, message: string) {
    super(message)
    this.status = status
    this.kind = kind
  }
}

/** Limit of the node's text in an error, characters. */
const MAX_TEXT = 300

export class ChainApi {
  /** Without a trailing slash. */
  readonly url: string
  readonly #options: ChainApiOptions

  constructor(options: ChainApiOptions) {
    this.url = withoutTrailingSlash(options.url)
    this.#options = options
  }

  /** @throws ChainApiError, NodeRefusal */
  async ask(path: string, body: object): Promise<Json> {
    const { status, text } = await this.#send(path, JSON.stringify(body))
    const answer = parseObject(text)
    if (status >= 200 && status <= 299) {
      if (answer === null) throw new ChainApiError('malformed', `${path} is not answered with a JSON object`)
      return answer
    }
    throw refusalOf(status, answer ?? {}, text)
  }

  async #send(path: string, body: string): Promise<{ status: number; text: string }> {
    const { timeoutMs, maxBytes, signal, send = sendByFetch } = this.#options
    try {
      return await send(`${this.url}/v1/chain/${path}`, body, { timeoutMs, maxBytes, signal })
    } catch (error) {
      const reason = error instanceof HttpError ? error.reason : 'no-answer'
      throw new ChainApiError(reason, (error as Error).message || String((error as NodeJS.ErrnoException).code), error)
    }
  }
}

function sendByFetch(url: string, body: string, bounds: Bounds) {
  return request(url, { method: 'POST', body, ...bounds })
}

function refusalOf(status: number, answer: Json, text: string): NodeRefusal {
  const { name, what, details } = (answer.error ?? {}) as { name?: unknown; what?: unknown; details?: unknown }
  const [first] = Array.isArray(details) ? (details as Json[]) : []
  const message = first?.message ?? what ?? answer.message ?? text
  return new NodeRefusal(status, String(name ?? ''), String(message || `HTTP ${status}`).slice(0, MAX_TEXT))
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}
