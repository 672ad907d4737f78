// Evidence of how a withdrawal ended on an EVM chain: the position of the vault's event in a final block.
import { toBeHex } from 'ethers'
import { publishedInterface } from '../../proofs/release-calls.ts'
import type { EvmChain } from '../evm/chain.ts'

export interface OutcomePosition {
  block_number: bigint
  /** 64 hex digits. */
  tx_hash: string
  log_index: number
}

/** How long a node that failed is not asked again, ms: the other work of the ledger's chain does not wait for it. */
const REST_MS = 60_000

type OutcomeChain = { chain: Pick<EvmChain, 'head' | 'jsonReceipt'>; vaults: readonly string[] }

export class Outcomes {
  readonly #chains: ReadonlyMap<bigint, OutcomeChain>
  /** Failures of nodes, by domain. */
  readonly #rests = new Map<bigint, { until: number; error: unknown }>()

  /** @param chains  by domain; none where gateways have no positions of them */
  constructor(chains: ReadonlyMap<bigint, OutcomeChain>) {
    this.#chains = chains
  }

  /** Whether outcomes on a chain can be shown at all. */
  has(domain: bigint): boolean {
    return this.#chains.has(domain)
  }

  /** Null when the event is not final, or is of a chain that is not known here. @param tx  hash, with or without 0x */
  async positionOf(domain: bigint, id: bigint, tx: string, released: boolean): Promise<OutcomePosition | null> {
    const known = this.#chains.get(domain)
    if (known === undefined) return null
    const [receipt, { finalNumber }] = await this.#within(domain, () => {
      return Promise.all([known.chain.jsonReceipt(tx.startsWith('0x') ? tx : `0x${tx}`), known.chain.head()])
    })
    if (receipt === null || Number(receipt.blockNumber) > finalNumber) return null
    const topic = publishedInterface('SvcVault').getEvent(released ? 'Released' : 'Voided')?.topicHash
    const log = receipt.logs.find(({ address, topics }) => {
      return known.vaults.includes(address.toLowerCase()) && topics[0] === topic && topics[1] === toBeHex(id, 32)
    })
    if (log === undefined) return null
    const tx_hash = tx.replace(/^0x/, '')
    return { block_number: BigInt(receipt.blockNumber), tx_hash, log_index: Number(log.logIndex) }
  }

  /** Asks a node, unless it has failed a moment ago. @throws its last error */
  async #within<T>(domain: bigint, ask: () => Promise<T>): Promise<T> {
    const rest = this.#rests.get(domain)
    if (rest !== undefined && rest.until > Date.now()) throw rest.error
    try {
      return await ask()
    } catch (error) {
      this.#rests.set(domain, { until: Date.now() + REST_MS, error })
      throw error
    }
  }
}
