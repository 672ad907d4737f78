// The EVM chain as used by the EVM side of the simulation: on a node, or simulated events only.

import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { EvmLog } from '../contracts/bridge/evm-gateway.ts'
import type { Destination } from './journeys.ts'

export interface EvmDeposit {
  nonce: bigint
  /** Address of the depositor. */
  user: string
  /** Symbol code of the token. */
  code: string
  /** Ledger units. */
  canonical: bigint
  to: Destination
}

/** Times are Unix milliseconds and never decrease. `deposit` and `end` return the position of the vault's log. */
export interface EvmChain {
  /** Must be called first. */
  open(now: number): Promise<void>
  deposit(deposit: EvmDeposit, now: number): Promise<EvmLog>
  /** Releases a withdrawal, or expires it after its deadline. */
  end(id: bigint, released: boolean, now: number): Promise<EvmLog>
}

const BLOCK_MS = 12_000
const FIRST_BLOCK = 21_000_000

/** Without a node: positions of logs that do not exist on any node. */
export class SimulatedEvm implements EvmChain {
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

  /** @param label  unique in the simulation: the hash of the transaction is made from it */
  private log(label: string, now: number): EvmLog {
    const block_number = BigInt(FIRST_BLOCK + Math.ceil((now - this.start) / BLOCK_MS))
    return { block_number, tx_hash: toHex(sha256(Buffer.from(`${this.seed}/evm/${label}`))), log_index: 1 }
  }
}
