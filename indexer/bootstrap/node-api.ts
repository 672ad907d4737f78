// The chain API requests that a bootstrap needs. Rows are requested packed, because JSON loses data that the node's ABI
// does not describe. Numbers are sent as decimal text, which every version of the API accepts.
import { setTimeout as delay } from 'node:timers/promises'
import { type HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'
import { ChainApi, type ChainApiError, type Json, NodeRefusal } from '../../net/chain-api.ts'
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
  /** Key of the row after the last one; null at the end. A page before the end may be short or empty. */
  next: bigint | null
}

export interface ScopesPage {
  /** As names. */
  scopes: string[]
  /** First scope of the next page; null at the end. */
  next: string | null
}

export interface NodeApiOptions {
  url: string
  /** Timeout of one answer, ms. */
  timeoutMs?: number
  /** Attempts of one request; each pause is twice the one before. */
  attempts?: number
  /** Maximum size of an answer, bytes. */
  maxBytes?: number
  signal?: AbortSignal
}

const FIRST_PAUSE_MS = 100

export class NodeApi {
  readonly url: string
  private readonly api: ChainApi
  private readonly attempts: number
  private readonly maxBytes: number
  private readonly signal: AbortSignal | undefined

  constructor({ url, timeoutMs = 15_000, attempts = 4, maxBytes = 64 << 20, signal }: NodeApiOptions) {
    this.api = new ChainApi({ url, timeoutMs, maxBytes, signal })
    this.url = this.api.url
    this.attempts = attempts
    this.maxBytes = maxBytes
    this.signal = signal
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

  /** Id and time (Unix milliseconds) of a block on the node's current branch. */
  async block(num: number): Promise<{ id: string; time: number }> {
    const answer = await this.ask('get_block_info', { block_num: num })
    return { id: this.text(answer.id), time: Date.parse(`${this.text(answer.timestamp).replace(/Z$/, '')}Z`) }
  }

  /** Packed ABI; null when the account does not exist or has no ABI. */
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
    if (next === null) throw this.malformed(`get_table_rows of ${code}/${table} has no next key: use a newer node`)
    return { rows, next: BigInt(next) }
  }

  /** @param lower  value of the first scope to list */
  async scopes(code: string, table: string, lower: bigint, limit: number): Promise<ScopesPage> {
    const answer = await this.ask('get_table_by_scope', { code, table, lower_bound: lower.toString(), limit })
    const scopes = this.list(answer.rows).map((row) => this.text((row as { scope?: unknown }).scope))
    return { scopes, next: this.text(answer.more) || null }
  }

  private async ask(path: string, body: object): Promise<Json> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.api.ask(path, body)
      } catch (cause) {
        const error = this.errorOf(path, cause)
        const passes = error instanceof RetryableError && !(error instanceof RefusedError && !error.passing)
        if (!passes || attempt >= this.attempts || this.signal?.aborted) throw error
      }
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: this.signal }).catch(() => {})
    }
  }

  private errorOf(path: string, cause: unknown): HeadwaterError {
    if (cause instanceof NodeRefusal) return this.refusal(path, cause)
    const { reason, message } = cause as ChainApiError
    if (reason === 'malformed') return this.malformed(message)
    if (reason === 'too-large')
      return new UserError('NODE_API_ANSWER_TOO_LARGE', `${this.url}: an answer exceeds ${this.maxBytes} bytes`, {
        hint: 'ask for smaller pages',
      })
    return new RetryableError('NODE_API_UNREACHABLE', `${this.url}: ${path}: ${message}`, {
      hint: 'is the chain API of the node running and reachable?',
      cause,
    })
  }

  private refusal(path: string, { status, kind, message }: NodeRefusal): HeadwaterError {
    if (status === 404 && kind === '')
      return new UserError('NODE_API_MISSING', `${this.url} does not know /v1/chain/${path}`, {
        hint: 'the node must run the chain API plugin (Spring, Leap 5 or EOSIO 2.1 and newer)',
      })
    return new RefusedError(`${this.url}: ${path} is refused (${status}): ${message}`, status, kind)
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

  /** The hex text of a packed row. Some servers wrap it, because they default to `show_payer`. */
  private hex(row: unknown): string {
    const text = typeof row === 'object' && row !== null ? (row as { data?: unknown }).data : row
    if (typeof text !== 'string' || !/^([0-9a-f]{2})*$/i.test(text)) throw this.malformed('a row is not packed')
    return text
  }
}

/** A request that the node refused. A refusal by the chain's rules is permanent. */
class RefusedError extends RetryableError {
  readonly passing: boolean

  constructor(message: string, status: number, kind: string) {
    super('NODE_API_REFUSED', message)
    const isFinal = kind !== '' && !/timeout|deadline|busy/.test(kind)
    this.passing = status === 429 || (status >= 500 && !isFinal)
  }
}
