// The EVM chain as its side of the world acts on it: a node's, or one of which only the events are made up.

import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { EvmLog } from '../contracts/bridge/evm-gateway.ts'
import type { Destination } from './journeys.ts'

export interface EvmDeposit {
  nonce: bigint
  /** Who deposits. */
  user: string
  code: string
  /** Units of the ledger. */
  canonical: bigint
  to: Destination
}

/** Times are Unix milliseconds and never go back. Each returns where the vault's log stands. */
export interface EvmChain {
  /** Before anything else. */
  open(now: number): Promise<void>
  deposit(deposit: EvmDeposit, now: number): Promise<EvmLog>
  /** Releases a withdrawal, or has it expire after its deadline. */
  end(id: bigint, released: boolean, now: number): Promise<EvmLog>
}

const BLOCK = 12_000
const FIRST_BLOCK = 21_000_000

/** Without a node: logs that nobody can look up. */
export class ImaginedEvm implements EvmChain {
  private readonly seed: string
  private readonly start: number

  /** @param start  Unix milliseconds */
  constructor(seed: string, start: number) {
    this.seed = seed
    this.start = start
  }

  async open(): Promise<void> {}

  async deposit({ nonce }: EvmDeposit, now: number): Promise<EvmLog> {
    return this.log(`deposit ${nonce}`, now)
  }

  async end(id: bigint, released: boolean, now: number): Promise<EvmLog> {
    return this.log(`${released ? 'release' : 'expire'} ${id}`, now)
  }

  private log(what: string, now: number): EvmLog {
    const block_number = BigInt(FIRST_BLOCK + Math.ceil((now - this.start) / BLOCK))
    return { block_number, tx_hash: toHex(sha256(Buffer.from(`${this.seed}/evm/${what}`))), log_index: 1 }
  }
}
