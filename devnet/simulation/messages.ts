// Messages between the sides of the bridge. Each has an arrival time, which is never before the relayer could have
// reacted to an irreversible block. Plain values, which can be sent to another thread.

import type { DepositLog, PaymentLog } from '../contracts/bridge/antelope-gateway.ts'
import type { Evidence, PolicyEvidence } from './evidence.ts'
import type { Payment } from './wax-side.ts'

/** From wax to the ledger. Times are Unix milliseconds. */
export type ToTelos =
  /** The first finalizer policy of wax, packed, for the set-up of its gateway. */
  | { kind: 'genesis'; at: number; policy: Uint8Array }
  /** The next policy. Arrives before all messages with proofs by its votes. */
  | { kind: 'policy'; at: number; evidence: PolicyEvidence }
  | { kind: 'deposit'; at: number; log: DepositLog; evidence: Evidence }
  | { kind: 'payment'; at: number; log: PaymentLog; evidence: Evidence }
  /** A withdrawal that was not paid in time. */
  | { kind: 'unpaid'; at: number; id: bigint }

/** From the ledger to wax. */
export interface ToWax {
  kind: 'burn'
  at: number
  payment: Payment
}

const SECOND = 1000

/** Minimum milliseconds from the block that made a cause irreversible to the message's arrival. */
export const SETTLE_LAG = 20 * SECOND
export const CREDIT_LAG = 35 * SECOND
export const PAY_LAG = 70 * SECOND
