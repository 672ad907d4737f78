// The few requests of a node's chain API that a start in the middle of a chain needs. Rows come packed: the node's own
// JSON loses what its ABI does not say. Numbers are sent as decimal text, which every version of the API takes as such.
import { setTimeout as delay } from 'node:timers/promises'
import { type HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'
import type { BlockPosition } from '../source/source.ts'

export interface NodeInfo {
  chainId: string
  head: BlockPosition
  lib: BlockPosition
}

export interface RowsQuery {
  code: string
  scope: bigint
  table: string
  lower?: bigint
  upper?: bigint
  limit: number
}

export interface RowsPage {
  rows: Uint8Array[]
  /** Key of the row after the last one; null at the end. Pages may be short, or empty, before the end. */
  next: bigint | null
}

export interface ScopesPage {
  /** As names. */
  scopes: string[]
  /** Scope to go on from; null at the end. */
  next: string | null
}

export interface NodeApiOptions {
  url: string
  /** Milliseconds for one answer. */
  timeoutMs?: number
  /** Attempts for one request; the pause before each is twice the one before it. */
  attempts?: number
  /** Largest answer, bytes. */
  maxBytes?: number
  signal?: AbortSignal
}

const FIRST_PAUSE_MS = 100

export class NodeApi {
  readonly url: string
  private readonly timeoutMs: number
  private readonly attempts: number
  private readonly maxBytes: number
  private readonly signal: AbortSignal | undefined

  constructor(options: NodeApiOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.timeoutMs = options.timeoutMs ?? 15_000
    this.attempts = options.attempts ?? 4
    this.maxBytes = options.maxBytes ?? 64 << 20
    this.signal = options.signal
  }

  async info(): Promise<NodeInfo> {
    const answer = await this.ask('get_info', {})
    const at = (num: unknown, id: unknown) => ({ num: this.integer(num), id: this.text(id) })
    return {
      chainId: this.text(answer.chain_id),
      head: at(answer.head_block_num, answer.head_block_id),
      lib: at(answer.last_irreversible_block_num, answer.last_irreversible_block_id),
    }
  }

  /** Id and time (Unix milliseconds) of a block of the branch that the node follows. */
  async block(num: number): Promise<{ id: string; time: number }> {
    const answer = await this.ask('get_block_info', { block_num: num })
    return { id: this.text(answer.id), time: Date.parse(`${this.text(answer.timestamp).replace(/Z$/, '')}Z`) }
  }

  /** Packed; null for an account that does not exist or has none. */
  async rawAbi(account: string): Promise<Uint8Array | null> {
    const answer = await this.ask('get_raw_abi', { account_name: account }).catch((error: unknown) => {
      if (error instanceof RefusedError && !error.passing) return null
      throw error
    })
    if (answer === null) return null
    const abi = new Uint8Array(Buffer.from(this.text(answer.abi), 'base64'))
    return abi.length > 0 ? abi : null
  }

  async rows({ code, scope, table, lower, upper, limit }: RowsQuery): Promise<RowsPage> {
    const answer = await this.ask('get_table_rows', {
      json: false,
      code,
      scope: scope.toString(),
      table,
      lower_bound: lower?.toString() ?? '',
      upper_bound: upper?.toString() ?? '',
      limit,
    })
    const rows = this.list(answer.rows).map((row) => new Uint8Array(Buffer.from(this.hex(row), 'hex')))
    if (!answer.more) return { rows, next: null }
    const next = typeof answer.next_key === 'string' && /^\d{1,20}$/.test(answer.next_key) ? answer.next_key : null
    if (next === null) throw this.malformed(`get_table_rows of ${code}/${table} tells no next key: use a newer node`)
    return { rows, next: BigInt(next) }
  }

  /** @param lower  value of the first scope wanted */
  async scopes(code: string, table: string, lower: bigint, limit: number): Promise<ScopesPage> {
    const answer = await this.ask('get_table_by_scope', { code, table, lower_bound: lower.toString(), limit })
    const scopes = this.list(answer.rows).map((row) => this.text((row as { scope?: unknown }).scope))
    return { scopes, next: this.text(answer.more) || null }
  }

  private async ask(path: string, body: object): Promise<Record<string, unknown>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.askOnce(path, body)
      } catch (error) {
        const passes = error instanceof RetryableError && !(error instanceof RefusedError && !error.passing)
        if (!passes || attempt >= this.attempts || this.signal?.aborted) throw error
      }
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: this.signal }).catch(() => {})
    }
  }

  private async askOnce(path: string, body: object): Promise<Record<string, unknown>> {
    const timeout = AbortSignal.timeout(this.timeoutMs)
    const signal = this.signal ? AbortSignal.any([timeout, this.signal]) : timeout
    let status: number
    let text: string
    try {
      const response = await fetch(`${this.url}/v1/chain/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        signal,
      })
      status = response.status
      text = await this.read(response)
    } catch (error) {
      if (error instanceof UserError) throw error
      const reason = (error as { cause?: Error }).cause?.message ?? (error as Error).message
      throw new RetryableError('NODE_API_UNREACHABLE', `${this.url}: ${path}: ${reason}`, {
        hint: 'is the chain API of the node running and reachable?',
        cause: error,
      })
    }
    if (status !== 200) throw this.refusal(path, status, text)
    const answer = parse(text)
    if (answer === null) throw this.malformed(`${path} is not answered with JSON`)
    return answer
  }

  private async read(response: Response): Promise<string> {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > this.maxBytes)
        throw new UserError('NODE_API_ANSWER_TOO_LARGE', `${this.url}: an answer exceeds ${this.maxBytes} bytes`, {
          hint: 'ask for smaller pages',
        })
      parts.push(part)
    }
    return Buffer.concat(parts).toString('utf8')
  }

  private refusal(path: string, status: number, text: string): HeadwaterError {
    const error = parse(text)?.error as { name?: string; what?: string; details?: { message?: string }[] } | undefined
    const reason = error?.details?.[0]?.message ?? error?.what ?? text.slice(0, 200)
    if (status === 404 && !error)
      return new UserError('NODE_API_MISSING', `${this.url} does not know /v1/chain/${path}`, {
        hint: 'the node must run the chain API plugin (Spring, Leap 5 or EOSIO 2.1 and newer)',
      })
    return new RefusedError(`${this.url}: ${path} is refused (${status}): ${reason}`, status, error?.name)
  }

  private malformed(what: string): HeadwaterError {
    return new RetryableError('NODE_API_MALFORMED', `${this.url}: ${what}`, {
      hint: 'is this the chain API of a node?',
    })
  }

  private text(value: unknown): string {
    if (typeof value !== 'string') throw this.malformed('a text is missing in an answer')
    return value
  }

  private integer(value: unknown): number {
    if (!Number.isSafeInteger(value)) throw this.malformed('a number is missing in an answer')
    return value as number
  }

  private list(value: unknown): unknown[] {
    if (!Array.isArray(value)) throw this.malformed('a list is missing in an answer')
    return value
  }

  /** A packed row; with `show_payer` on by default some servers wrap it. */
  private hex(row: unknown): string {
    const text = typeof row === 'object' && row !== null ? (row as { data?: unknown }).data : row
    if (typeof text !== 'string' || !/^([0-9a-f]{2})*$/i.test(text)) throw this.malformed('a row is not packed')
    return text
  }
}

/** An answer of the node that it does not do what was asked. Exceptions of the chain do not pass by themselves. */
class RefusedError extends RetryableError {
  readonly passing: boolean

  constructor(message: string, status: number, exception: string | undefined) {
    super('NODE_API_REFUSED', message)
    const isFinal = exception !== undefined && !/timeout|deadline|busy/.test(exception)
    this.passing = status === 429 || (status >= 500 && !isFinal)
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
