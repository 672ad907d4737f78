// An EVM chain as the relayer uses it: state at the head, trials, receipts, sending. A contract's refusal is an answer;
// an endpoint that fails is replaced by the next one.
import { Endpoint } from '../../net/rpc/endpoint.ts'
import { RpcError } from '../../net/rpc/errors.ts'
import { EndpointPool } from '../../net/rpc/pool.ts'
import { publishedError, publishedInterface } from '../../proofs/release-calls.ts'
import { Refused } from '../choice/refusal.ts'

export interface EvmHead {
  chainId: number
  number: number
  /** Unix seconds. */
  time: number
  /** Wei a unit of gas, in the head; the next block's differs by an eighth at most. */
  baseFee: bigint
  finalNumber: number
}

export interface EvmReceipt {
  succeeded: boolean
  block: number
  gasUsed: bigint
  /** Wei. */
  cost: bigint
}

export interface EvmCall {
  from: string
  to: string
  data: string
}

interface JsonReceipt {
  status: string
  blockNumber: string
  gasUsed: string
  effectiveGasPrice: string
  logs: { address: string; topics: string[]; logIndex: string }[]
}

/** Texts of nodes for a transaction that they have, or whose nonce is used: a look at the chain says which. */
const HAS_IT = /already known|known transaction|nonce too low|already imported|replacement transaction underpriced/i
/** Texts for a revert without data. */
const REVERTED = /revert|out of gas|gas required exceeds|always failing/i
const OPTIONS = { requestsPerSecond: 0, batch: 20, maxBytes: 32 << 20 }

export class EvmChain {
  readonly name: string
  readonly chainId: number
  readonly #pool: EndpointPool
  readonly #signal: AbortSignal

  constructor(
    chain: { name: string; chainId: number; urls: readonly string[]; timeoutMs: number },
    signal: AbortSignal,
  ) {
    this.name = chain.name
    this.chainId = chain.chainId
    const { name, timeoutMs } = chain
    const endpoints = chain.urls.map((url) => new Endpoint({ ...OPTIONS, chain: name, url, timeoutMs }))
    this.#pool = new EndpointPool(endpoints, { restMs: [1000, 30_000], waits: false })
    this.#signal = signal
  }

  async head(): Promise<EvmHead> {
    type Block = { number: string; timestamp: string; baseFeePerGas?: string }
    const [head, final, id] = (await this.#batch([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
      { method: 'eth_chainId', params: [] },
    ])) as [Block | null, Block | null, string]
    if (!head) throw new RpcError('EVM_RPC', this.name, '', 'the node has no block')
    return {
      chainId: Number(id),
      number: Number(head.number),
      time: Number(head.timestamp),
      baseFee: BigInt(head.baseFeePerGas ?? '0x0'),
      finalNumber: Number(final?.number ?? 0),
    }
  }

  /** Transactions of an address that blocks have. */
  async count(address: string): Promise<number> {
    return Number(await this.#call<string>('eth_getTransactionCount', [address, 'latest']))
  }

  /** Wei. */
  async balance(address: string): Promise<bigint> {
    return BigInt(await this.#call<string>('eth_getBalance', [address, 'latest']))
  }

  async receipt(hash: string): Promise<EvmReceipt | null> {
    const found = await this.jsonReceipt(hash)
    if (found === null) return null
    const gasUsed = BigInt(found.gasUsed)
    const cost = gasUsed * BigInt(found.effectiveGasPrice)
    return { succeeded: found.status === '0x1', block: Number(found.blockNumber), gasUsed, cost }
  }

  jsonReceipt(hash: string): Promise<JsonReceipt | null> {
    return this.#call<JsonReceipt | null>('eth_getTransactionReceipt', [hash])
  }

  /** Whether the node has the transaction, in its pool or in a block. */
  async knows(hash: string): Promise<boolean> {
    return (await this.#call<object | null>('eth_getTransactionByHash', [hash])) !== null
  }

  /** Light clients that withdrawals contracts verify roots by. @returns addresses in lower case */
  lightClientsOf(withdrawals: readonly string[]): Promise<string[]> {
    const published = publishedInterface('SvcWithdrawals')
    const data = published.encodeFunctionData('lightClient')
    return Promise.all(
      withdrawals.map(async (to) => {
        const result = await this.#call<string>('eth_call', [{ to, data }, 'latest'])
        return String(published.decodeFunctionResult('lightClient', result)[0]).toLowerCase()
      }),
    )
  }

  /** Runs a call on the state of the head. @throws Refused with the reason */
  async simulate(call: EvmCall): Promise<void> {
    await this.#attempt('eth_call', call)
  }

  /** Gas that a call needs now. @throws Refused with the reason */
  async estimate(call: EvmCall): Promise<bigint> {
    return BigInt(await this.#attempt('eth_estimateGas', call))
  }

  /** Hands a signed transaction to the node, which may have it already. @throws Refused when the node does not take it */
  async send(raw: Uint8Array): Promise<void> {
    const hex = `0x${Buffer.from(raw).toString('hex')}`
    const refusal = await this.#pool.use(async (endpoint) => {
      try {
        await endpoint.call<string>('eth_sendRawTransaction', [hex], this.#signal)
        return null
      } catch (error) {
        if (!(error instanceof RpcError) || error.code !== 'EVM_RPC' || !/is refused/.test(error.message)) throw error
        return error.message
      }
    }, this.#signal)
    if (refusal !== null && !HAS_IT.test(refusal)) throw new Refused(refusal)
  }

  /** A refused call is no failure of the endpoint. */
  async #attempt(method: string, call: EvmCall): Promise<string> {
    const result = await this.#pool.use(async (endpoint) => {
      try {
        return { value: await endpoint.call<string>(method, [call, 'latest'], this.#signal) }
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        const named = typeof error.data === 'string' ? publishedError(error.data) : null
        if (named !== null) return { reason: named }
        if (error.data !== undefined || REVERTED.test(error.message)) return { reason: error.message }
        throw error
      }
    }, this.#signal)
    if (result.reason !== undefined) throw new Refused(result.reason)
    return result.value
  }

  #call<T>(method: string, params: readonly unknown[]): Promise<T> {
    return this.#pool.use((endpoint) => endpoint.call<T>(method, params, this.#signal), this.#signal)
  }

  #batch(calls: { method: string; params: readonly unknown[] }[]): Promise<unknown[]> {
    return this.#pool.use((endpoint) => endpoint.batch<unknown>(calls, this.#signal), this.#signal)
  }
}
