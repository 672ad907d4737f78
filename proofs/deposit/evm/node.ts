// What proofs need of a node of an EVM chain: headers and receipts, each checked against what it must be. The endpoints
// are tried one after the other: one that fails, lies or lacks something is left for the next.
import { DecodeError, RetryableError } from '../../../core/errors.ts'
import { fromPrefixedHex, smallQuantity, toPrefixedHex } from '../../../core/evm/bytes.ts'
import { encodeHeader, type JsonHeader } from '../../../core/evm/header.ts'
import { type HeaderFields, readHeader } from '../../../core/evm/header-fields.ts'
import { type JsonReceipt, type Receipt, receiptFromJson, receiptTrie } from '../../../core/evm/receipt.ts'
import type { Trie } from '../../../core/evm/trie.ts'
import { postJson, withoutSecrets } from './http.ts'

export interface NodeOptions {
  chain: string
  /** JSON-RPC endpoints, the preferred first. */
  urls: readonly string[]
  /** Most requests in a batch. */
  batch?: number
  timeoutMs?: number
}

/** A header with its RLP. */
export interface RawHeader extends HeaderFields {
  rlp: Uint8Array
}

/** All receipts of a block, in order. */
export interface BlockReceipts {
  receipts: readonly Receipt[]
  trie: Trie
}

/** One endpoint, within a step of work. */
export interface EvmRpc {
  /** Headers of these numbers, in their order. @throws NodeError EVM_HEADER, EVM_GAP, EVM_RPC */
  headers(nums: readonly number[]): Promise<RawHeader[]>
  /** Number of the newest block. */
  head(): Promise<number>
  /** @throws NodeError EVM_RECEIPTS when they have another root than the header */
  receipts(header: RawHeader): Promise<BlockReceipts>
  error(code: string, what: string, cause?: unknown): NodeError
}

/** The endpoint cannot be reached, refuses, or answers with something else than asked for. */
export class NodeError extends RetryableError {}

const BATCH = 100
const TIMEOUT_MS = 20_000
const NO_METHOD = -32601

export class EvmNode {
  readonly #options: NodeOptions

  constructor(options: NodeOptions) {
    this.#options = options
  }

  /**
   * Does a step with the first endpoint with which it works.
   *
   * @throws what it failed with on the last endpoint; at once what is not an endpoint's fault
   */
  async use<T>(step: (rpc: EvmRpc) => Promise<T>): Promise<T> {
    let failure: unknown
    for (const url of this.#options.urls) {
      try {
        return await step(new Endpoint(url, this.#options))
      } catch (error) {
        if (!(error instanceof NodeError)) throw error
        failure = error
      }
    }
    throw failure ?? new NodeError('EVM_RPC', `${this.#options.chain}: no endpoint is configured`)
  }
}

class Endpoint implements EvmRpc {
  readonly #url: string
  readonly #options: NodeOptions

  constructor(url: string, options: NodeOptions) {
    this.#url = url
    this.#options = options
  }

  async headers(nums: readonly number[]): Promise<RawHeader[]> {
    const asked = nums.map((num) => ['eth_getBlockByNumber', [`0x${num.toString(16)}`, false]] as const)
    const found = await this.#batch<JsonHeader | null>(asked)
    return found.map((json, index) => {
      const num = nums[index]!
      if (json === null) throw this.error('EVM_GAP', `block ${num} is missing`)
      const header = this.#header(json)
      if (header.number === num) return header
      throw this.error('EVM_GAP', `block ${num} was asked for, ${header.number} came`)
    })
  }

  async head(): Promise<number> {
    const [number] = await this.#batch<string>([['eth_blockNumber', []]])
    return this.#read(() => smallQuantity(number!))
  }

  async receipts({ number, receiptsRoot }: RawHeader): Promise<BlockReceipts> {
    const found = await this.#blockReceipts(`0x${number.toString(16)}`)
    const all = this.#read(() => found.map(receiptFromJson))
    // Nodes of Polygon list one more at the end of some blocks, which the root does not cover.
    for (const receipts of [all, all.slice(0, -1)]) {
      const trie = receiptTrie(receipts)
      if (Buffer.compare(trie.root, receiptsRoot) === 0) return { receipts, trie }
    }
    throw this.error('EVM_RECEIPTS', `the receipts of block ${number} have another root than its header`)
  }

  /** All receipts of a block at once, or one by one where the endpoint does not know how. */
  async #blockReceipts(block: string): Promise<JsonReceipt[]> {
    try {
      const [found] = await this.#batch<JsonReceipt[] | null>([['eth_getBlockReceipts', [block]]])
      return found ?? []
    } catch (error) {
      if (!(error instanceof NodeError) || error.code !== 'EVM_NO_METHOD') throw error
    }
    const [full] = await this.#batch<{ transactions: string[] } | null>([['eth_getBlockByNumber', [block, false]]])
    const hashes = this.#read(() => (full?.transactions ?? []).map((hash) => hash))
    const found = await this.#batch<JsonReceipt | null>(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]))
    return found.filter((receipt) => receipt !== null)
  }

  error(code: string, what: string, cause?: unknown): NodeError {
    const { chain } = this.#options
    return new NodeError(code, `${chain}: ${withoutSecrets(this.#url)}: ${what}`, { place: { chain }, cause })
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
    const { batch = BATCH } = this.#options
    const results: T[] = []
    for (let at = 0; at < calls.length; at += batch) results.push(...(await this.#send<T>(calls.slice(at, at + batch))))
    return results
  }

  async #send<T>(calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<T[]> {
    const requests = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const { timeoutMs = TIMEOUT_MS } = this.#options
    let answer: unknown
    try {
      answer = await postJson(this.#url, requests.length === 1 ? requests[0] : requests, timeoutMs)
    } catch (cause) {
      throw this.error('EVM_RPC', (cause as Error).message, cause)
    }
    type One = { id?: unknown; result?: T; error?: { code?: number; message?: string } }
    const byId = new Map((Array.isArray(answer) ? answer : [answer]).map((one: One) => [Number(one?.id), one]))
    return calls.map(([method], id) => {
      const { result, error } = byId.get(id) ?? {}
      if (error) {
        const text = `${method} is refused: ${String(error.message).slice(0, 300)}`
        throw error.code === NO_METHOD ? this.error('EVM_NO_METHOD', text) : this.error('EVM_RPC', text)
      }
      if (result === undefined) throw this.error('EVM_RPC', `no answer to ${method}`)
      return result
    })
  }

  /** Whatever an answer has that cannot be read is the endpoint's fault. */
  #read<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof NodeError) throw error
      const what = error instanceof DecodeError || error instanceof TypeError ? error.message : String(error)
      throw this.error('EVM_RPC', `an answer cannot be read: ${what}`, error)
    }
  }
}
