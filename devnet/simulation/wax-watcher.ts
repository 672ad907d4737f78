// Reads deposits, payments and changes of the finalizer policy in wax's irreversible blocks, each with its proof, for
// the relayer.

import { slotToMs } from '../../core/antelope/time.ts'
import { type FinalizerPolicy, packFinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { itemAt, required } from '../../core/required.ts'
import type { Chain, FinalBlock } from '../chain/chain.ts'
import type { SavannaState } from '../chain/savanna.ts'
import { type DepositLog, type PaymentLog, sourceAbi } from '../contracts/bridge/antelope-gateway.ts'
import { BRIDGE } from '../contracts/exchange.ts'
import { type Evidence, newestRoot, type PolicyEvidence, proveAction, provePolicy, type TreeRoot } from './evidence.ts'
import { MerkleLog } from './merkle-log.ts'

/** Called before events that need its evidence. `now` is the time of the block that made it irreversible, Unix ms. */
export interface WaxEvents {
  /** @param policy  the first one, packed, for the set-up of a gateway */
  began(policy: Uint8Array, now: number): void
  handedOver(evidence: PolicyEvidence, now: number): void
  deposited(log: DepositLog, evidence: Evidence, now: number): void
  paid(log: PaymentLog, evidence: Evidence, now: number): void
  /** An expected payment was not made in time. */
  unpaid(id: bigint, now: number): void
}

export class WaxWatcher {
  private readonly chain: Chain
  private readonly events: WaxEvents
  private readonly tree = new MerkleLog()
  private readonly first: FinalizerPolicy
  private hasBegun = false
  /** Deadlines of expected payments, Unix milliseconds. */
  private readonly expected = new Map<bigint, number>()

  /** @param chain  has only its first block */
  constructor(chain: Chain, events: WaxEvents) {
    this.chain = chain
    this.events = events
    this.first = chain.genesisPolicy()
    this.tree.append(savannaOf(chain.irreversible).leaf)
    chain.onIrreversible((blocks) => this.read(blocks))
  }

  /** Expects a payment; `unpaid` is called when it is not made in time. @param deadline Unix milliseconds */
  expect(id: bigint, deadline: number): void {
    this.expected.set(id, deadline)
  }

  private read(blocks: readonly FinalBlock[]): void {
    const now = this.chain.headTime
    if (!this.hasBegun) this.events.began(packFinalizerPolicy(this.first), now)
    this.hasBegun = true
    for (const block of blocks) this.tree.append(savannaOf(block).leaf)
    let newest: TreeRoot | null = null
    // Computed lazily, because signing is slow and most blocks have nothing to prove.
    const under = () => (newest ??= newestRoot(this.chain, this.tree))
    for (const block of blocks) this.readBlock(block, under, now)
    const final = slotToMs(itemAt(blocks, -1).timestamp)
    for (const [id, deadline] of this.expected) {
      if (deadline >= final) continue
      this.expected.delete(id)
      this.events.unpaid(id, now)
    }
  }

  private readBlock(block: FinalBlock, under: () => TreeRoot, now: number): void {
    const place = block.num - this.chain.firstBlock
    const { promoted } = savannaOf(block)
    if (promoted) this.events.handedOver(provePolicy(block, place, promoted, under()), now)
    for (const [index, { receiver, action }] of block.actions.entries()) {
      if (receiver !== BRIDGE || action.account !== BRIDGE) continue
      const evidence = () => proveAction(block, place, index, under())
      if (action.name === 'deplog')
        this.events.deposited(sourceAbi().decodeAction<DepositLog>('deplog', action.data), evidence(), now)
      else if (action.name === 'paylog') {
        const paid = sourceAbi().decodeAction<PaymentLog>('paylog', action.data)
        this.expected.delete(paid.id)
        this.events.paid(paid, evidence(), now)
      }
    }
  }
}

/** The chain runs Savanna from its first block. */
function savannaOf({ num, savanna }: FinalBlock): SavannaState {
  return required(savanna, `finality of block ${num}`)
}
