// A chain on which deposits are locked: the bridge and a token on a simulated chain with real certificates, and a store
// that follows the chain.
import { type BridgeLog, bridgeLogsOf } from '../../../core/finality/bridge-log.ts'
import { executedActions } from '../../../core/finality/receipts.ts'
import { track } from '../../../core/finality/track.ts'
import { type BlockOptions, Chain } from '../../../devnet/chain/chain.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { WaxBridge } from '../../../devnet/contracts/bridge/wax.ts'
import { TokenContract } from '../../../devnet/contracts/token.ts'
import { certificateVerifier } from '../../../proofs/certificates.ts'
import type { SavannaDepositSource } from '../../../proofs/deposit/antelope/savanna.ts'
import { MemoryStore } from '../../../proofs/memory-store.ts'

const TOKEN = 'eosio.token'
const BRIDGE = 'bridge.svc'
const USER = 'alice'
const verify = certificateVerifier()
const wax = (amount: bigint) => ({ amount, precision: 8, symbol: 'WAX' })

export class WaxChain implements SavannaDepositSource {
  readonly chain: string = 'wax'
  readonly bridge = BRIDGE
  readonly verify = verify
  readonly source = new MemoryStore()
  readonly blocks: Chain
  readonly #logs = new Map<bigint, BridgeLog>()
  #next: number

  constructor(finalizers = 4) {
    this.blocks = new Chain({
      chainId: '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4',
      seed: 'deposits',
      startTime: Date.parse('2026-01-01T00:00:00Z'),
      contracts: [new TokenContract(TOKEN), new WaxBridge('relay')],
      finalizers,
    })
    this.#next = this.blocks.firstBlock
    const create = call(TOKEN, 'create', TOKEN, { issuer: USER, maximum_supply: wax(1n << 60n) })
    const issue = call(TOKEN, 'issue', USER, { to: USER, quantity: wax(1n << 50n), memo: '' })
    this.produce({ transactions: [[create], [issue]] })
  }

  /** Locks amounts in one block, each by its own transaction. Nonces count from 0. */
  deposit(...amounts: bigint[]): void {
    const transfer = (amount: bigint, i: number) => {
      const data = { from: USER, to: BRIDGE, quantity: wax(amount), memo: i % 2 === 0 ? 'bob' : 'bob:a note' }
      return [call(TOKEN, 'transfer', USER, data)]
    }
    this.produce({ transactions: amounts.map(transfer) })
  }

  produce(options: BlockOptions = {}): void {
    const { results } = this.blocks.produce(options)
    for (const result of results) if (!result.ok) throw new Error(result.error)
    for (; this.#next <= this.blocks.head.num; this.#next++) {
      const block = this.blocks.block(this.#next)!
      const logs = bridgeLogsOf(this.#next, executedActions(block.traces), BRIDGE)
      this.source.append(track(this.source.lineage, block), [])
      for (const log of logs) this.#logs.set(log.id, log)
    }
  }

  idle(count: number): void {
    for (let i = 0; i < count; i++) this.produce()
  }

  async log(nonce: bigint): Promise<BridgeLog | null> {
    return this.#logs.get(nonce) ?? null
  }
}
