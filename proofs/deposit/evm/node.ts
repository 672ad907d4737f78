// Reads headers and receipts of an EVM chain, each checked against its hash or root. Endpoints are tried in order: if
// one fails, returns wrong data or lacks something, the next is used.

import { DecodeError, RetryableError } from '../../../core/errors.ts'
import { fromPrefixedHex, smallQuantity, toPrefixedHex } from '../../../core/evm/bytes.ts'
import { encodeHeader, type JsonHeader } from '../../../core/evm/header.ts'
import { type HeaderFields, readHeader } from '../../../core/evm/header-fields.ts'
import { type JsonReceipt, type Receipt, receiptFromJson, receiptsUnderRoot } from '../../../core/evm/receipt.ts'
import type { Trie } from '../../../core/evm/trie.ts'
import { itemAt, required } from '../../../core/required.ts'
import { Endpoint } from '../../../net/rpc/endpoint.ts'
import { RpcError, TooMuchError } from '../../../net/rpc/errors.ts'
import { EndpointPool } from '../../../net/rpc/pool.ts'

export interface NodeOptions {
  chain: string
  /** JSON-RPC endpoints, in order of preference. */
  urls: readonly string[]
  /** Maximum requests in a batch. */
  batch?: number
  timeoutMs?: number
}

/** A header with its RLP. */
export interface RawHeader extends HeaderFields {
  rlp: Uint8Array
}

/** The receipts of a block under its header's root, in order. */
export interface BlockReceipts {
  receipts: readonly Receipt[]
  trie: Trie
}

/** One endpoint, for the duration of one step. */
export interface EvmReader {
  /** Headers of the given numbers, in the same order. @throws RpcError EVM_HEADER, EVM_GAP, EVM_RPC */
  headers(nums: readonly number[]): Promise<RawHeader[]>
  /** Number of the newest block. */
  head(): Promise<number>
  /** @throws RpcError EVM_RECEIPTS when their root differs from the header's */
  receipts(header: RawHeader): Promise<BlockReceipts>
  error(code: string, what: string, cause?: unknown): RpcError
}

const BATCH = 100
const TIMEOUT_MS = 20_000
/** Size limit of an answer: about ten times the receipts of a full block. */
const MAX_BYTES = 128 * 2 ** 20
/** Pauses of a failed endpoint, ms: none, because proof requests are rare and the caller waits. */
const NO_REST = [0, 0] as const

export class EvmNode {
  readonly #pool: EndpointPool
  readonly #chain: string

  constructor({ chain, urls, batch = BATCH, timeoutMs = TIMEOUT_MS }: NodeOptions) {
    const options = { chain, timeoutMs, requestsPerSecond: 0, batch, maxBytes: MAX_BYTES }
    this.#chain = chain
    this.#pool = new EndpointPool(
      urls.map((url) => new Endpoint({ ...options, url })),
      { restMs: NO_REST, waits: false },
    )
  }

  /**
   * Runs a step on the first endpoint where it succeeds.
   *
   * @throws RpcError of the last endpoint; other errors at once
   */
  async use<T>(step: (reader: EvmReader) => Promise<T>): Promise<T> {
    if (this.#pool.isEmpty)
      throw new RetryableError('EVM_RPC', `${this.#chain}: no endpoint is configured`, {
        place: { chain: this.#chain },
      })
    return this.#pool.use((endpoint) => step(new EndpointReader(endpoint)), NEVER)
  }
}

/** A signal that never aborts: requests have their own deadlines. */
const NEVER = new AbortController().signal

class EndpointReader implements EvmReader {
  readonly #endpoint: Endpoint

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  async headers(nums: readonly number[]): Promise<RawHeader[]> {
    const asked = nums.map((num) => ['eth_getBlockByNumber', [`0x${num.toString(16)}`, false]] as const)
    const found = await this.#batch<JsonHeader | null>(asked)
    return found.map((json, index) => {
      const num = itemAt(nums, index)
      if (json === null) throw this.error('EVM_GAP', `block ${num} is missing`)
      const header = this.#header(json)
      if (header.number === num) return header
      throw this.error('EVM_GAP', `block ${num} was asked for, ${header.number} came`)
    })
  }

  async head(): Promise<number> {
    const [number] = await this.#batch<string>([['eth_blockNumber', []]])
    return this.#read(() => smallQuantity(required(number, 'number')))
  }

  async receipts({ number, receiptsRoot }: RawHeader): Promise<BlockReceipts> {
    const found = await this.#blockReceipts(`0x${number.toString(16)}`)
    const all = this.#read(() => found.map(receiptFromJson))
    const covered = receiptsUnderRoot(all, receiptsRoot)
    if (covered !== null) return covered
    throw this.error('EVM_RECEIPTS', `the receipts of block ${number} have another root than its header`)
  }

  /** All receipts of a block: in one request, or one by one if the endpoint does not support that or finds it too much. */
  async #blockReceipts(block: string): Promise<JsonReceipt[]> {
    try {
      return (await this.#endpoint.call<JsonReceipt[] | null>('eth_getBlockReceipts', [block], NEVER)) ?? []
    } catch (error) {
      const isRefused = error instanceof RpcError && (error.code === 'EVM_NO_METHOD' || error.code === 'EVM_TOO_MUCH')
      if (!isRefused) throw error
    }
    const [full] = await this.#batch<{ transactions: string[] } | null>([['eth_getBlockByNumber', [block, false]]])
    const calls = this.#read(() =>
      (full?.transactions ?? []).map((hash) => ['eth_getTransactionReceipt', [hash]] as const),
    )
    const found = await this.#batch<JsonReceipt | null>(calls)
    return found.filter((receipt) => receipt !== null)
  }

  error(code: string, what: string, cause?: unknown): RpcError {
    return this.#endpoint.error(code, what, { cause })
  }

  #header(json: JsonHeader): RawHeader {
    return this.#read(() => {
      const rlp = encodeHeader(json)
      const header = readHeader(rlp)
      const hash = toPrefixedHex(header.hash)
      if (hash !== toPrefixedHex(fromPrefixedHex(json.hash, 32)))
        throw this.error('EVM_HEADER', `the fields of block ${json.number} hash to ${hash}, not to ${json.hash}`)
      return { ...header, rlp }
    })
  }

  async #batch<T>(calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<T[]> {
    try {
      return await this.#endpoint.batch<T>(
        calls.map(([method, params]) => ({ method, params })),
        NEVER,
      )
    } catch (error) {
      // A query that cannot be smaller: another endpoint may accept it.
      throw error instanceof TooMuchError ? this.error('EVM_RPC', error.message, error) : error
    }
  }

  /** Reports any unreadable answer as the endpoint's fault. */
  #read<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof RpcError) throw error
      const what = error instanceof DecodeError || error instanceof TypeError ? error.message : String(error)
      throw this.error('EVM_RPC', `an answer cannot be read: ${what}`, error)
    }
  }
}
