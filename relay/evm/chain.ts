// An EVM chain as the relayer uses it: state at the head, trials, receipts, sending. A contract's refusal is an answer;
// an endpoint that fails is replaced by the next one.
import { UserError } from '../../core/errors.ts'
import { Endpoint } from '../../net/rpc/endpoint.ts'
import { RpcError } from '../../net/rpc/errors.ts'
import { EndpointPool } from '../../net/rpc/pool.ts'
import { publishedError, publishedInterface } from '../../proofs/release-calls.ts'
import type { Fees } from '../choice/fees.ts'
import { Refused } from '../choice/refusal.ts'

export interface EvmHead {
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

/** What a transaction offers for its gas. */
export interface EvmTerms extends Fees {
  gasLimit: bigint
}

interface JsonReceipt {
  status: string
  blockNumber: string
  gasUsed: string
  effectiveGasPrice: string
  logs: { address: string; topics: string[]; logIndex: string }[]
}

/** Errors of nodes for a transaction that they have, or whose nonce is used. The chain's state shows which. */
const HAS_IT =
  /already ?known|known transaction|nonce too low|oldnonce|noncealreadyused|already imported|replacement transaction underpriced|replacementnotallowed/i
/** Texts for a revert without data. */
const REVERT_DATA = /^(?:reverted )?(0x(?:[0-9a-f]{2}){4,})$/i
const REVERTED = /revert|out of gas|gas required exceeds|always failing/i
/** Texts for a call whose fees do not suit the state of the head: they say nothing about the contract. */
const UNPAYABLE =
  /insufficient funds|(?:less|lower) than (?:the )?(?:current )?block base ?fee|max ?fee ?per ?gas|fee cap/i
const OPTIONS = { requestsPerSecond: 0, batch: 20, maxBytes: 32 << 20 }

export class EvmChain {
  readonly name: string
  readonly chainId: number
  readonly #pool: EndpointPool
  readonly #signal: AbortSignal
  /** Endpoints that have named the chain's id. */
  readonly #checked = new WeakSet<Endpoint>()

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
    const [head, final] = (await this.#batch([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    ])) as [Block | null, Block | null]
    if (!head) throw new RpcError('EVM_RPC', this.name, '', 'the node has no block')
    return {
      number: Number(head.number),
      time: Number(head.timestamp),
      baseFee: BigInt(head.baseFeePerGas ?? '0x0'),
      finalNumber: Number(final?.number ?? 0),
    }
  }

  /** Runs a step with an endpoint of this chain. */
  #use<T>(step: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    return this.#pool.use(async (endpoint) => {
      if (!this.#checked.has(endpoint)) {
        const id = Number(await endpoint.call<string>('eth_chainId', [], this.#signal))
        if (id !== this.chainId)
          throw new UserError('OTHER_CHAIN', `${this.name}: an endpoint is of chain ${id}, not of ${this.chainId}`, {
            hint: 'correct relay.nodes or the source of the chain',
            place: { chain: this.name },
          })
        this.#checked.add(endpoint)
      }
      return step(endpoint)
    }, this.#signal)
  }

  /** Transactions of an address that blocks have, or final blocks. */
  async count(address: string, block: 'latest' | 'finalized' = 'latest'): Promise<number> {
    return Number(await this.#call<string>('eth_getTransactionCount', [address, block]))
  }

  /** Wei. */
  async balance(address: string): Promise<bigint> {
    return BigInt(await this.#call<string>('eth_getBalance', [address, 'latest']))
  }

  /** Tip that the node suggests, wei a unit of gas; null when it suggests none. */
  async suggestedTip(): Promise<bigint | null> {
    try {
      return BigInt(await this.#call<string>('eth_maxPriorityFeePerGas', []))
    } catch (error) {
      if (error instanceof RpcError || error instanceof SyntaxError || error instanceof TypeError) return null
      throw error
    }
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

  /**
   * Runs a call on the state of the head.
   *
   * @param terms  gas and fees of its transaction, which the called contract sees; left out if the head does not suit them
   * @throws Refused with the reason
   */
  async simulate(call: EvmCall, terms?: EvmTerms): Promise<void> {
    if (terms === undefined) return void (await this.#attempt('eth_call', call))
    const { gasLimit, maxFee, maxTip } = terms
    const fees = { gas: hex(gasLimit), maxFeePerGas: hex(maxFee), maxPriorityFeePerGas: hex(maxTip) }
    if ((await this.#attempt('eth_call', { ...call, ...fees })) === null) await this.#attempt('eth_call', call)
  }

  /** Gas that a call needs now. @throws Refused with the reason */
  async estimate(call: EvmCall): Promise<bigint> {
    return BigInt((await this.#attempt('eth_estimateGas', call)) ?? '')
  }

  /** Hands a signed transaction to the node, which may have it already. @throws Refused when the node does not take it */
  async send(raw: Uint8Array): Promise<void> {
    const hex = `0x${Buffer.from(raw).toString('hex')}`
    const refusal = await this.#use(async (endpoint) => {
      try {
        await endpoint.call<string>('eth_sendRawTransaction', [hex], this.#signal)
        return null
      } catch (error) {
        if (!(error instanceof RpcError) || error.code !== 'EVM_RPC' || !/is refused/.test(error.message)) throw error
        return error.message
      }
    })
    if (refusal !== null && !HAS_IT.test(refusal)) throw new Refused(refusal)
  }

  /** A refused call is no failure of the endpoint. @returns null when the head does not suit the fees of the call */
  async #attempt(method: string, call: EvmCall & { maxFeePerGas?: string }): Promise<string | null> {
    const result = await this.#use(async (endpoint) => {
      try {
        return { value: await endpoint.call<string>(method, [call, 'latest'], this.#signal) }
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        // Other data is the provider's, such as the number of its request.
        const data = typeof error.data === 'string' ? REVERT_DATA.exec(error.data)?.[1] : undefined
        if (data !== undefined || REVERTED.test(error.message))
          return { reason: publishedError(data ?? null) ?? error.message }
        if (call.maxFeePerGas !== undefined && UNPAYABLE.test(error.message)) return { value: null }
        throw error
      }
    })
    if (result.reason !== undefined) throw new Refused(result.reason)
    return result.value ?? null
  }

  #call<T>(method: string, params: readonly unknown[]): Promise<T> {
    return this.#use((endpoint) => endpoint.call<T>(method, params, this.#signal))
  }

  #batch(calls: { method: string; params: readonly unknown[] }[]): Promise<unknown[]> {
    return this.#use((endpoint) => endpoint.batch<unknown>(calls, this.#signal))
  }
}

const hex = (value: bigint): string => `0x${value.toString(16)}`
