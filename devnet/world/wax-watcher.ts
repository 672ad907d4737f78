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
  /** A payment that was expected was not made in time. */
  unpaid(id: bigint, now: number): void
}

export class WaxWatcher {
  private readonly chain: Chain
  private readonly events: WaxEvents
  private readonly tree = new MerkleLog()
  /** Deadlines of the payments that are to be made, Unix milliseconds. */
  private readonly expected = new Map<bigint, number>()

  /** @param chain  has its first block alone */
  constructor(chain: Chain, events: WaxEvents) {
    this.chain = chain
    this.events = events
    this.tree.append(chain.irreversible.savanna!.leaf)
    chain.onIrreversible((blocks) => this.read(blocks))
  }

  /** Asks to be told when a payment is not made in time. @param deadline Unix milliseconds */
  expect(id: bigint, deadline: number): void {
    this.expected.set(id, deadline)
  }

  private read(blocks: readonly FinalBlock[]): void {
    for (const { savanna } of blocks) this.tree.append(savanna!.leaf)
    const last = blocks[blocks.length - 1]!
    for (const block of blocks) this.readBlock(block, last.num)
    const final = slotToMs(last.timestamp)
    for (const [id, deadline] of this.expected) {
      if (deadline >= final) continue
      this.expected.delete(id)
      this.events.unpaid(id, this.chain.headTime)
    }
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
        this.expected.delete((log as unknown as PaymentLog).id)
        this.events.paid(log as unknown as PaymentLog, evidence, now)
      }
    }
  }
}
