// What the relayer reads on wax: deposits and payments in irreversible blocks, each with its proof.

import { slotToMs } from '../../core/antelope/time.ts'
import type { Chain, FinalBlock } from '../chain/chain.ts'
import { type DepositLog, type PaymentLog, sourceAbi } from '../contracts/bridge/antelope-gateway.ts'
import { type Proven, proveAction } from '../contracts/bridge/evidence.ts'
import { BRIDGE } from '../contracts/exchange.ts'
import { MerkleLog } from './merkle-log.ts'

export interface Evidence {
  proven: Proven
  /** The last block under the root that the proof leads to. */
  rootBlock: number
}

export interface WaxEvents {
  /** @param now  time of the block that made it irreversible, Unix milliseconds */
  deposited(log: DepositLog, evidence: Evidence, now: number): void
  paid(log: PaymentLog, evidence: Evidence, now: number): void
}

export class WaxWatcher {
  private readonly chain: Chain
  private readonly events: WaxEvents
  private readonly tree = new MerkleLog()
  private readonly payments = new Set<bigint>()
  /** Slot of the last irreversible block. */
  private finalSlot: number

  /** @param chain  has its first block alone */
  constructor(chain: Chain, events: WaxEvents) {
    this.chain = chain
    this.events = events
    const { savanna, timestamp } = chain.irreversible
    this.tree.append(savanna!.leaf)
    this.finalSlot = timestamp
    chain.onIrreversible((blocks) => this.read(blocks))
  }

  /** Unix milliseconds up to which all is known. */
  get finalTime(): number {
    return slotToMs(this.finalSlot)
  }

  /** Whether a withdrawal was paid in an irreversible block. */
  isPaid(id: bigint): boolean {
    return this.payments.has(id)
  }

  private read(blocks: readonly FinalBlock[]): void {
    for (const { savanna } of blocks) this.tree.append(savanna!.leaf)
    const last = blocks[blocks.length - 1]!
    this.finalSlot = last.timestamp
    for (const block of blocks) this.readBlock(block, last.num)
  }

  private readBlock(block: FinalBlock, rootBlock: number): void {
    const now = this.chain.headTime
    for (const [index, { receiver, action }] of block.actions.entries()) {
      if (receiver !== BRIDGE || action.account !== BRIDGE) continue
      if (action.name !== 'deplog' && action.name !== 'paylog') continue
      const tree = this.tree.proof(block.num - this.chain.firstBlock)
      const evidence = { proven: proveAction(block, index, tree, this.tree.root()), rootBlock }
      const log = sourceAbi().decodeAction(action.name, action.data)
      if (action.name === 'deplog') this.events.deposited(log as unknown as DepositLog, evidence, now)
      else {
        this.payments.add((log as unknown as PaymentLog).id)
        this.events.paid(log as unknown as PaymentLog, evidence, now)
      }
    }
  }
}
