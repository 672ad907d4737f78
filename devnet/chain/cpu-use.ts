// CPU billed to accounts over the last day, for transactions sent to the node.

import { receiptOf, type Transaction } from './transaction.ts'

const DAY_MS = 86_400_000

interface Use {
  /** Microseconds as of `at`; decays linearly over a day. */
  used: number
  /** Unix milliseconds. */
  at: number
}

export class CpuUse {
  private readonly uses = new Map<string, Use>()

  /** Bills the first authoriser. @param now  Unix milliseconds of the block */
  bill(transaction: Transaction, now: number): void {
    const payer = transaction.actions.flatMap(({ packed }) => packed.authorization)[0]?.actor
    if (payer === undefined) return
    this.uses.set(payer, { used: this.used(payer, now) + receiptOf(transaction).cpuUsageUs, at: now })
  }

  /** Microseconds. @param now  Unix milliseconds */
  used(account: string, now: number): number {
    const use = this.uses.get(account)
    if (!use) return 0
    return Math.ceil(use.used * Math.max(0, 1 - (now - use.at) / DAY_MS))
  }
}
