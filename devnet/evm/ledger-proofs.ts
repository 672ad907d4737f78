// Proofs of withdrawals for history, made from the ledger's chain itself, before it is indexed. Live proofs come from
// the public API (relayer/).

import { burnsOf } from '../../core/finality/burn.ts'
import { executedActions } from '../../core/finality/receipts.ts'
import { track } from '../../core/finality/track.ts'
import { required } from '../../core/required.ts'
import type { WithdrawalProof } from '../../proofs/json.ts'
import { MemoryStore } from '../../proofs/memory-store.ts'
import { type Destination, proveWithdrawal } from '../../proofs/prove.ts'
import type { Chain } from '../chain/chain.ts'
import { BRIDGE } from '../contracts/exchange.ts'

const LEDGER = { account: BRIDGE, action: 'wdlog', permission: 'active' }

export class LedgerProofs {
  private readonly chain: Chain
  private readonly store = new MemoryStore()
  /** Numbers of blocks with burns. */
  private readonly burning = new Set<number>()
  private next: number

  /** @param chain  must not fork */
  constructor(chain: Chain) {
    this.chain = chain
    this.next = chain.firstBlock
    chain.onIrreversible((blocks) => {
      for (const { num, actions } of blocks)
        if (actions.some(({ receiver, action }) => receiver === BRIDGE && action.name === 'wdlog')) this.burns(num)
    })
  }

  /** @returns null until a strong certificate covers the burn */
  async of(id: bigint, destination: Destination): Promise<WithdrawalProof | null> {
    this.follow()
    // The contract verifies the certificate.
    const proving = { source: this.store, verify: async () => true, ledger: LEDGER }
    return (await proveWithdrawal(proving, id, destination))?.proof ?? null
  }

  private burns(num: number): void {
    this.burning.add(num)
    // It was read for another withdrawal before it was irreversible, without its burns.
    if (num >= this.next) return
    this.store.rewind(num - 1)
    this.next = num
  }

  private follow(): void {
    for (; this.next <= this.chain.head.num; this.next++) {
      const block = required(this.chain.block(this.next), `block ${this.next}`)
      const burns = this.burning.has(this.next) ? burnsOf(this.next, executedActions(block.traces), BRIDGE) : []
      this.store.append(track(this.store.lineage, block), burns)
    }
  }
}
