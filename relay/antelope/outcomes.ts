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

export class Outcomes {
  readonly #chains: ReadonlyMap<bigint, { chain: EvmChain; vaults: readonly string[] }>

  /** @param chains  by domain; none where gateways are not told positions */
  constructor(chains: ReadonlyMap<bigint, { chain: EvmChain; vaults: readonly string[] }>) {
    this.#chains = chains
  }

  /** Null when the event is not final, or is of a chain that is not known here. @param tx  hash, with or without 0x */
  async positionOf(domain: bigint, id: bigint, tx: string, released: boolean): Promise<OutcomePosition | null> {
    const known = this.#chains.get(domain)
    if (known === undefined) return null
    const [receipt, { finalNumber }] = await Promise.all([
      known.chain.jsonReceipt(tx.startsWith('0x') ? tx : `0x${tx}`),
      known.chain.head(),
    ])
    if (receipt === null || Number(receipt.blockNumber) > finalNumber) return null
    const topic = publishedInterface('SvcVault').getEvent(released ? 'Released' : 'Voided')?.topicHash
    const log = receipt.logs.find(({ address, topics }) => {
      return known.vaults.includes(address.toLowerCase()) && topics[0] === topic && topics[1] === toBeHex(id, 32)
    })
    if (log === undefined) return null
    const tx_hash = tx.replace(/^0x/, '')
    return { block_number: BigInt(receipt.blockNumber), tx_hash, log_index: Number(log.logIndex) }
  }
}
