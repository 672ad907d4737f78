// Requests to an endpoint: heads, headers, logs and receipts. Each answer is checked.

import { type BloomBits, bloomHolds } from '../../../core/evm/bloom.ts'
import { fromPrefixedHex, smallQuantity, toPrefixedHex } from '../../../core/evm/bytes.ts'
import { headerHash, type JsonHeader } from '../../../core/evm/header.ts'
import { type JsonReceipt, receiptFromJson, receiptsUnderRoot } from '../../../core/evm/receipt.ts'
import type { Call, Endpoint } from '../../../net/rpc/endpoint.ts'
import { RpcError } from '../../../net/rpc/errors.ts'

/** A log in JSON-RPC form; topics and data remain text until they are decoded. */
export interface EvmLog {
  /** 0x and 40 lower-case digits. */
  address: string
  topics: readonly string[]
  data: string
  blockNum: number
  /** 64 hex digits. */
  blockId: string
  trxId: string
  logIndex: number
}

export interface Header {
  num: number
  /** 64 hex digits. */
  id: string
  prevId: string
  /** Unix milliseconds. */
  time: number
  /** 0x and 40 digits. */
  miner: string
  bloom: Uint8Array
  /** 0x and 64 digits. */
  receiptsRoot: string
}

export interface ReaderOptions {
  /** Whether to check header hashes; false for chains whose headers have additional fields. */
  headerHash: boolean
  /** Bloom bits of the watched addresses. */
  addresses: readonly BloomBits[]
  /** Bloom bits of the first topics of their events. */
  topics: readonly BloomBits[]
  /** The watched addresses. */
  watched: readonly string[]
}

type Receipt = JsonReceipt & { transactionHash: string }

interface JsonLog {
  address: string
  topics: string[]
  data: string
  blockNumber: string
  blockHash: string
  transactionHash: string
  logIndex: string
  removed?: boolean
}

export class EvmReader {
  readonly #endpoint: Endpoint
  readonly #options: ReaderOptions
  readonly #signal: AbortSignal

  constructor(endpoint: Endpoint, options: ReaderOptions, signal: AbortSignal) {
    this.#endpoint = endpoint
    this.#options = options
    this.#signal = signal
  }

  async chainId(): Promise<number> {
    return this.#checked(async () => smallQuantity(await this.#endpoint.call('eth_chainId', [], this.#signal)))
  }

  /** The newest block and the newest final block. @throws RpcError EVM_NO_FINALITY */
  async heads(): Promise<{ head: Header; final: Header }> {
    const tags = ['latest', 'finalized']
    const [head, final] = await this.#headers(
      tags.map((tag) => ({ method: 'eth_getBlockByNumber', params: [tag, false] })),
    )
    if (!head) throw this.#endpoint.error('EVM_RPC', 'it has no block yet')
    if (!final) throw this.#endpoint.error('EVM_NO_FINALITY', 'it knows no final block: is it still starting?')
    if (final.num > head.num)
      throw this.#endpoint.error('EVM_LAGGING', `its final block ${final.num} is above its head ${head.num}`)
    return { head, final }
  }

  /** Headers of these numbers, in the same order. @throws RpcError EVM_GAP when one is missing */
  async headers(nums: readonly number[]): Promise<Header[]> {
    const calls = nums.map((num) => ({ method: 'eth_getBlockByNumber', params: [`0x${num.toString(16)}`, false] }))
    return (await this.#headers(calls)).map((header, index) => {
      if (header === null) throw this.#endpoint.error('EVM_GAP', `block ${nums[index]} is missing`)
      if (header.num !== nums[index])
        throw this.#endpoint.error('EVM_GAP', `block ${nums[index]} was asked for, ${header.num} came`)
      return header
    })
  }

  /** Logs of the watched contracts in a block range, in chain order. @throws TooMuchError */
  logsOf(from: number, to: number): Promise<EvmLog[]> {
    return this.#logs({ fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }, (log) => {
      return log.blockNum >= from && log.blockNum <= to
    })
  }

  /** Logs of the watched contracts in one block. */
  logsAt({ id }: Header): Promise<EvmLog[]> {
    return this.#logs({ blockHash: `0x${id}` }, (log) => log.blockId === id)
  }

  /** Whether the block's bloom filter allows logs of a watched contract. */
  mayLog({ bloom }: Header): boolean {
    return this.#options.addresses.some((bits) => bloomHolds(bloom, bits))
  }

  /** Whether the block's bloom filter allows watched events of a watched contract. */
  mayHold(header: Header): boolean {
    return this.mayLog(header) && this.#options.topics.some((bits) => bloomHolds(header.bloom, bits))
  }

  /**
   * Logs of the watched contracts in a block, from all of its receipts. None can be missing: the root of the receipts
   * must be the header's.
   *
   * @throws RpcError EVM_RECEIPTS
   */
  async logsByReceipts(header: Header): Promise<EvmLog[]> {
    const receipts = await this.#receiptsOf(header)
    return this.#checked(() => {
      const covered = receiptsUnderRoot(receipts.map(receiptFromJson), fromPrefixedHex(header.receiptsRoot, 32))
      if (covered === null)
        throw this.#endpoint.error(
          'EVM_RECEIPTS',
          `the receipts of block ${header.num} have another root than its header`,
        )
      let logIndex = 0
      const logs: EvmLog[] = []
      for (const { logs: ofReceipt, transactionHash } of receipts.slice(0, covered.receipts.length)) {
        const trxId = bare(transactionHash)
        for (const log of ofReceipt) {
          const [address, index] = [log.address.toLowerCase(), logIndex++]
          if (!this.#options.watched.includes(address)) continue
          const { topics, data } = log
          logs.push({ address, topics, data, blockNum: header.num, blockId: header.id, trxId, logIndex: index })
        }
      }
      return logs
    })
  }

  /** All receipts of a block in one request; one by one when the endpoint lacks the method or finds it too much. */
  async #receiptsOf({ id, num }: Header): Promise<Receipt[]> {
    try {
      const all = await this.#endpoint.call<Receipt[] | null>(
        'eth_getBlockReceipts',
        [`0x${num.toString(16)}`],
        this.#signal,
      )
      return all ?? []
    } catch (error) {
      const isRefused = error instanceof RpcError && (error.code === 'EVM_NO_METHOD' || error.code === 'EVM_TOO_MUCH')
      if (!isRefused) throw error
    }
    const block = await this.#endpoint.call<{ transactions: string[] } | null>(
      'eth_getBlockByHash',
      [`0x${id}`, false],
      this.#signal,
    )
    const calls = (block?.transactions ?? []).map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
    const found = await this.#endpoint.batch<Receipt | null>(calls, this.#signal)
    return found.filter((receipt) => receipt !== null)
  }

  async #headers(calls: readonly Call[]): Promise<(Header | null)[]> {
    const found = await this.#endpoint.batch<(JsonHeader & { number: string }) | null>(calls, this.#signal)
    return this.#checked(() => found.map((json) => (json === null ? null : this.#header(json))))
  }

  #header(json: JsonHeader): Header {
    if (this.#options.headerHash) {
      const hash = toPrefixedHex(headerHash(json))
      if (hash !== json.hash.toLowerCase())
        throw this.#endpoint.error(
          'EVM_HEADER',
          `the fields of block ${json.number} hash to ${hash}, not to ${json.hash}`,
        )
    }
    return {
      num: smallQuantity(json.number),
      id: bare(json.hash),
      prevId: bare(json.parentHash),
      time: smallQuantity(json.timestamp) * 1000,
      miner: toPrefixedHex(fromPrefixedHex(json.miner, 20)),
      bloom: fromPrefixedHex(json.logsBloom, 256),
      receiptsRoot: json.receiptsRoot,
    }
  }

  async #logs(range: object, isWanted: (log: EvmLog) => boolean): Promise<EvmLog[]> {
    const filter = { address: this.#options.watched, ...range }
    const found = await this.#endpoint.call<JsonLog[]>('eth_getLogs', [filter], this.#signal)
    return this.#checked(() => {
      const logs = found.map(logOf)
      const stray = logs.find((log) => !isWanted(log) || !this.#options.watched.includes(log.address))
      if (stray)
        throw this.#endpoint.error(
          'EVM_RPC',
          `it sent a log that was not requested: of ${stray.address} in block ${stray.blockNum}`,
        )
      return logs.sort((a, b) => a.blockNum - b.blockNum || a.logIndex - b.logIndex)
    })
  }

  /** Reads an answer. An error while reading it is reported as the endpoint's. */
  async #checked<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof RpcError) throw error
      throw this.#endpoint.error('EVM_RPC', `an answer cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }
}

function logOf(json: JsonLog): EvmLog {
  if (json.removed === true) throw new TypeError('a log of a block that was replaced')
  return {
    address: json.address.toLowerCase(),
    topics: json.topics,
    data: json.data,
    blockNum: smallQuantity(json.blockNumber),
    blockId: bare(json.blockHash),
    trxId: bare(json.transactionHash),
    logIndex: smallQuantity(json.logIndex),
  }
}

/** A hash without 0x. */
function bare(hash: string): string {
  return toPrefixedHex(fromPrefixedHex(hash, 32)).slice(2)
}
