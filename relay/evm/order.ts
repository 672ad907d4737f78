// What a sender is asked to send, and which of its transactions wait for a block.
import type { Later } from '../choice/limits.ts'
import type { Intent, IntentAction, Refusal } from '../state/journal.ts'
import type { EvmReceipt } from './chain.ts'

export interface EvmOrder {
  leg: string
  action: Exclude<IntentAction, 'cancel'>
  step: string
  to: string
  data: string
  feeUsd: number | null
  valueUsd: number | null
  /** Maximum cost of the gas of all calls, USD, at which the withdrawal earns enough; null: no limit, it is sent even at a loss. */
  budgetUsd: number | null
  /** Calls of the withdrawal after this one. */
  later: Later
  /** Other withdrawals whose fees are part of the budget. */
  shares: readonly string[]
  /** The refusal before, if any. */
  refusal: Refusal | undefined
}

/** `known`: the light client has learned this policy, so that the next call of the release can be sent. */
export type Sent = 'sent' | 'refused' | 'limited' | 'dry-run' | 'known'

/** Newest transaction of each nonce that no block has used, with the age of the oldest one. */
export function waitingOf(
  open: readonly Intent[],
  receipts: ReadonlyMap<string, EvmReceipt | null>,
  nextNonce: number,
): Intent[] {
  const waiting = new Map<number, Intent>()
  for (const intent of open) {
    const nonce = intent.nonce ?? 0
    if (receipts.get(intent.hash) || nonce < nextNonce) continue
    waiting.set(nonce, { ...intent, createdAt: waiting.get(nonce)?.createdAt ?? intent.createdAt })
  }
  return [...waiting.values()]
}

/** The same without a node: the journal decides which nonces a block has used. @param open  by nonce, then by id */
export function waitingIn(open: readonly Intent[]): Intent[] {
  const used = new Set(open.flatMap(({ nonce, state }) => (state === 'mined' ? [nonce] : [])))
  const others = open.filter(({ nonce }) => !used.has(nonce))
  return waitingOf(others, new Map(), 0)
}
