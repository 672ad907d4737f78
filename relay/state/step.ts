// The state machines of transactions in the journal: from the state of the chain's node to the next step. Pure: the same
// observation gives the same step, so a restart at any point continues correctly.

export type IntentState =
  | 'intended'
  | 'sent'
  | 'mined'
  | 'done'
  | 'reverted'
  | 'replaced'
  | 'cancelled'
  | 'expired'
  | 'foreign'

export interface Missing {
  turns: number
  /** Last final block at the first of these turns. */
  finalBlock: number
}

/** Turns without a receipt before a nonce counts as used by another program: one backend of an RPC may lag. */
const FOREIGN_TURNS = 3

export interface EvmObservation {
  state: 'intended' | 'sent' | 'mined'
  isCancel: boolean
  nonce: number
  /** The transaction's receipt; null while it is in no block. */
  receipt: { succeeded: boolean; block: number } | null
  /** Number of the key's transactions that are in blocks, which is the next nonce. */
  nextNonce: number
  /** Last final block. */
  finalBlock: number
  /** Whether another transaction of the journal with this nonce is in a block, or in a final one. */
  sibling: 'none' | 'mined' | 'final'
  /** Whether it is the newest transaction with its nonce. Only the newest is sent again or replaced. */
  isNewest: boolean
  /** Whether the node still knows it, in its pool or a block. */
  isKnown: boolean
  /** Whether its maximum fee is below the base fee, so that no block can include it. */
  isUnderpriced: boolean
  /** Whether its tip is below the minimum that nodes accept. */
  isBelowTip: boolean
  /** Whether the settings no longer allow it: its nonce is freed at once. */
  isDenied: boolean
  /** Consecutive turns in which a final block had used the nonce, but no transaction with it had a receipt; null: none. */
  missing: Missing | null
  /** Since it was last sent, not counting that a node had forgotten it, ms. */
  ageMs: number
  replaceMs: number
}

export type EvmStep =
  /** Do nothing yet. */
  | 'wait'
  /** Record that it is in a block. */
  | 'mined'
  /** Record its final outcome. */
  | 'done'
  | 'reverted'
  | 'cancelled'
  | 'replaced'
  | 'foreign'
  /** Send the same bytes, again or for the first time. */
  | 'send'
  /** Send another transaction with the same nonce and a higher fee, or the same bytes if a higher fee is not possible. */
  | 'replace'

export function evmStep(seen: EvmObservation): EvmStep {
  const { receipt } = seen
  if (receipt !== null)
    return receipt.block > seen.finalBlock ? (seen.state === 'mined' ? 'wait' : 'mined') : endOf(seen)
  if (seen.nextNonce > seen.nonce) return takenBy(seen)
  if (!seen.isNewest) return 'wait'
  // A fork removed its block.
  if (seen.state === 'mined') return 'send'
  const isLate = seen.ageMs >= seen.replaceMs
  if (seen.state === 'sent' && seen.isKnown) return isLate || seen.isDenied ? 'replace' : 'wait'
  // No node has it. It needs a higher fee only if its fee is the reason.
  if (seen.isBelowTip) return 'replace'
  return isLate && seen.isUnderpriced ? 'replace' : 'send'
}

/** The nonce is used by another transaction, or the node knows the new count but not yet the receipt. */
function takenBy({ sibling, missing, finalBlock }: EvmObservation): EvmStep {
  if (sibling === 'final') return 'replaced'
  if (sibling === 'mined' || missing === null) return 'wait'
  return missing.turns >= FOREIGN_TURNS && finalBlock > missing.finalBlock ? 'foreign' : 'wait'
}

function endOf({ receipt, isCancel }: EvmObservation): EvmStep {
  if (receipt?.succeeded !== true) return 'reverted'
  return isCancel ? 'cancelled' : 'done'
}

export interface AntelopeObservation {
  state: 'intended' | 'sent' | 'mined'
  /** Whether the bridge API still lists the action; null: it has not answered since the transaction's time was over. */
  isPending: boolean | null
  /** Whether a contract refused it at its first push. It is pushed again when the action is next tried. */
  isRefused: boolean
  /** Last irreversible block and its time, Unix ms. */
  libNum: number
  libTime: number
  /** Block that the node reported when it accepted the transaction. */
  block: number | null
  /** Unix ms. */
  expiresAt: number
  /** Since it was last sent, ms. */
  ageMs: number
  againMs: number
}

/**
 * An action gets a second transaction only after an irreversible block is later than the expiration of the first, so that
 * no block can include the first any more. Until then the same bytes are sent again; a chain executes them once.
 */
export function antelopeStep(seen: AntelopeObservation): 'wait' | 'send' | 'done' | 'expired' | 'reverted' {
  const isOver = seen.libTime > seen.expiresAt
  if (seen.isRefused) return isOver ? 'reverted' : 'wait'
  // It may never have been sent. If the chain has it already, the node reports a duplicate.
  if (seen.state === 'intended') return isOver ? 'expired' : 'send'
  const isFinal = seen.block !== null && seen.block <= seen.libNum
  if (seen.isPending === false) return isFinal || isOver ? 'done' : 'wait'
  if (isOver) return seen.isPending === null ? 'wait' : 'expired'
  return seen.ageMs >= seen.againMs ? 'send' : 'wait'
}
