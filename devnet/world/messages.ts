// What the sides of the bridge tell each other across chains. Each message has a time at which it arrives: never earlier
// than the relayer can have acted on what became irreversible. Plain values, which can go to another thread.

import type { DepositLog, PaymentLog } from '../contracts/bridge/antelope-gateway.ts'
import type { Evidence, PolicyEvidence } from './evidence.ts'
import type { Payment } from './wax-side.ts'

/** From wax to the ledger. Unix milliseconds. */
export type ToTelos =
  /** The first finalizer policy of wax, packed: what its gateway is set up with. */
  | { kind: 'genesis'; at: number; policy: Uint8Array }
  /** The next one. Comes before everything that is proved by its votes. */
  | { kind: 'policy'; at: number; evidence: PolicyEvidence }
  | { kind: 'deposit'; at: number; log: DepositLog; evidence: Evidence }
  | { kind: 'payment'; at: number; log: PaymentLog; evidence: Evidence }
  /** A withdrawal was not paid in time. */
  | { kind: 'unpaid'; at: number; id: bigint }

/** From the ledger to wax. */
export interface ToWax {
  kind: 'burn'
  at: number
  payment: Payment
}

export type Message = ToTelos | ToWax

const SECOND = 1000

/** Milliseconds that a message takes at least after the block that made its cause irreversible. */
export const SETTLE_LAG = 20 * SECOND
export const CREDIT_LAG = 35 * SECOND
export const PAY_LAG = 70 * SECOND
