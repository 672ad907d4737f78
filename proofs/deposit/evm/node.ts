// Reads headers and receipts of an EVM chain. Headers are checked against their hashes, receipts against the root in the
// header. Endpoints are tried in order: if one fails, sends wrong data or lacks a block, the next one is used.

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

/** Reads from one endpoint, for the duration of one step. */
export interface EvmReader {
  /** Headers of the given numbers, in the same order. @throws RpcError EVM_HEADER, EVM_GAP, EVM_RPC */
  headers(nums: readonly number[]): Promise<RawHeader[]>
  /** Number of the newest block. */
  head(): Promise<number>
  /** All receipts of a block. @throws RpcError EVM_RECEIPTS when their root differs from the root in the header */
  receipts(header: RawHeader): Promise<BlockReceipts>
  /** An error that names this endpoint. @param problem  what is wrong */
  error(code: string, problem: string, cause?: unknown): RpcError
}

const BATCH = 100
const TIMEOUT_MS = 20_000
/** Size limit of a response, bytes: about ten times the receipts of a full block. */
const MAX_BYTES = 128 * 2 ** 20
/** Shortest and longest pause of a failed endpoint, ms: none, because proof requests are rare and the caller waits. */
const NO_PAUSE = [0, 0] as const

export class EvmNode {
  readonly #pool: EndpointPool
  readonly #chain: string

  constructor({ chain, urls, batch = BATCH, timeoutMs = TIMEOUT_MS }: NodeOptions) {
    const options = { chain, timeoutMs, requestsPerSecond: 0, batch, maxBytes: MAX_BYTES }
    this.#chain = chain
    this.#pool = new EndpointPool(
      urls.map((url) => new Endpoint({ ...options, url })),
      { restMs: NO_PAUSE, waits: false },
    )
  }

  /**
   * Runs a step on the first endpoint where it succeeds.
   *
   * @throws the RpcError of the last endpoint; any other error at once, without trying the next endpoint
   */
  async use<T>(step: (reader: EvmReader) => Promise<T>): Promise<T> {
    if (this.#pool.isEmpty)
      throw new RetryableError('EVM_RPC', `${this.#chain}: no endpoint is configured`, {
        hint: `set source.urls of ${this.#chain}`,
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
    const calls = nums.map((num) => ['eth_getBlockByNumber', [`0x${num.toString(16)}`, false]] as const)
    const headers = await this.#batch<JsonHeader | null>(calls)
    return headers.map((json, index) => {
      const num = itemAt(nums, index)
      if (json === null) throw this.error('EVM_GAP', `block ${num} is missing`)
      const header = this.#header(json)
      if (header.number === num) return header
      throw this.error('EVM_GAP', `block ${num} was requested, but block ${header.number} was sent`)
    })
  }

  async head(): Promise<number> {
    const [number] = await this.#batch<string>([['eth_blockNumber', []]])
    return this.#read(() => smallQuantity(required(number, 'number')))
  }

  async receipts({ number, receiptsRoot }: RawHeader): Promise<BlockReceipts> {
    const json = await this.#blockReceipts(`0x${number.toString(16)}`)
    const receipts = this.#read(() => json.map(receiptFromJson))
    const checked = receiptsUnderRoot(receipts, receiptsRoot)
    if (checked !== null) return checked
    throw this.error('EVM_RECEIPTS', `the root of the receipts of block ${number} is not the root in its header`)
  }

  /**
   * All receipts of a block, in one request. If the endpoint does not have this method or refuses the response as too
   * large, the receipts are requested one by one.
   */
  async #blockReceipts(block: string): Promise<JsonReceipt[]> {
    try {
      return (await this.#endpoint.call<JsonReceipt[] | null>('eth_getBlockReceipts', [block], NEVER)) ?? []
    } catch (error) {
      const isRefused = error instanceof RpcError && (error.code === 'EVM_NO_METHOD' || error.code === 'EVM_TOO_MUCH')
      if (!isRefused) throw error
    }
    const [blockJson] = await this.#batch<{ transactions: string[] } | null>([['eth_getBlockByNumber', [block, false]]])
    const calls = this.#read(() =>
      (blockJson?.transactions ?? []).map((hash) => ['eth_getTransactionReceipt', [hash]] as const),
    )
    const receipts = await this.#batch<JsonReceipt | null>(calls)
    return receipts.filter((receipt) => receipt !== null)
  }

  error(code: string, problem: string, cause?: unknown): RpcError {
    return this.#endpoint.error(code, problem, { cause })
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
      // The query cannot be split further, but another endpoint may accept it.
      throw error instanceof TooMuchError ? this.error('EVM_RPC', error.message, error) : error
    }
  }

  /** Runs a parser. Any error of the parser becomes an error of the endpoint. @throws RpcError */
  #read<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof RpcError) throw error
      const reason = error instanceof DecodeError || error instanceof TypeError ? error.message : String(error)
      throw this.error('EVM_RPC', `the response cannot be read: ${reason}`, error)
    }
  }
}
