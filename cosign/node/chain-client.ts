// Requests of a node's chain API, bounded in time and size. A refusal of the node is an answer; no answer is RetryableError.
import { RetryableError } from '../../core/errors.ts'
import { type Answer, post } from './post.ts'

export interface ChainClientOptions {
  url: string
  /** Milliseconds for one answer. */
  timeoutMs?: number
  /** Largest answer, bytes. */
  mostBytes?: number
}

export type Json = Record<string, unknown>

/** The node's own error: its class and words. */
export class NodeRefusal extends Error {
  readonly status: number
  /** `eosio_assert_message_exception`, ... */
  readonly kind: string

  constructor(status: number, kind: string, message: string) {
    super(message)
    this.status = status
    this.kind = kind
  }
}

const TIMEOUT_MS = 3000
const MOST_BYTES = 4 << 20
/** Longest text of a node that is handed on, characters. */
const LONGEST_TEXT = 300

export class ChainClient {
  readonly url: string
  private readonly timeoutMs: number
  private readonly mostBytes: number

  constructor({ url, timeoutMs = TIMEOUT_MS, mostBytes = MOST_BYTES }: ChainClientOptions) {
    this.url = url.replace(/\/+$/, '')
    this.timeoutMs = timeoutMs
    this.mostBytes = mostBytes
  }

  /** @throws NodeRefusal, RetryableError COSIGN_NODE */
  async ask(path: string, body: Json): Promise<Json> {
    const { status, text } = await this.post(path, body)
    let answer: unknown
    try {
      answer = JSON.parse(text)
    } catch {
      throw this.lost(path, `HTTP ${status} without JSON`)
    }
    if (typeof answer !== 'object' || answer === null) throw this.lost(path, 'no object')
    if (status >= 200 && status < 300) return answer as Json
    throw refusalOf(status, answer as Json)
  }

  private async post(path: string, body: Json): Promise<Answer> {
    const { url, timeoutMs, mostBytes } = this
    try {
      return await post(`${url}/v1/chain/${path}`, JSON.stringify(body), { timeoutMs, mostBytes })
    } catch (error) {
      throw this.lost(path, (error as Error).message || String((error as NodeJS.ErrnoException).code))
    }
  }

  private lost(path: string, what: string): RetryableError {
    return new RetryableError('COSIGN_NODE', `${this.url} does not answer ${path}: ${what}`, {
      hint: 'cosign.node names the chain API of a node of this chain',
    })
  }
}

function refusalOf(status: number, answer: Json): NodeRefusal {
  const { name, what, details } = (answer.error ?? {}) as { name?: unknown; what?: unknown; details?: unknown }
  const [first] = Array.isArray(details) ? (details as Json[]) : []
  const text = first?.message ?? what ?? answer.message ?? `HTTP ${status}`
  return new NodeRefusal(status, String(name ?? ''), String(text).slice(0, LONGEST_TEXT))
}
