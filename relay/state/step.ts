// The state machine of a transaction on an EVM chain: what a look at the chain says about a row of the journal, and what
// has to follow. Pure: the same look gives the same step, so that a restart at any point continues where it was.

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
  looks: number
  /** Last final block at the first of them. */
  finalBlock: number
}

/** Looks without a receipt before a nonce counts as used by another program: one backend of an RPC may lag. */
const FOREIGN_LOOKS = 3

export interface EvmLook {
  state: 'intended' | 'sent' | 'mined'
  isCancel: boolean
  nonce: number
  /** The transaction's receipt; null while it is in no block. */
  receipt: { succeeded: boolean; block: number } | null
  /** Number of transactions of the key that blocks have: the next nonce. */
  nextNonce: number
  /** Last final block. */
  finalBlock: number
  /** Whether another transaction of the journal with this nonce is in a block, or in a final one. */
  sibling: 'none' | 'mined' | 'final'
  /** Whether it is the last one that was made with its nonce: only that one is sent again or replaced. */
  isNewest: boolean
  /** Whether the node still knows it, in its pool or a block. */
  isKnown: boolean
  /** Whether its highest fee is below the base fee: no node takes it. */
  isUnderpriced: boolean
  /** Whether its tip is below what nodes take. */
  isBelowTip: boolean
  /** Looks in a row at which a final block had used the nonce and no transaction with it had a receipt; null: none. */
  missing: Missing | null
  /** Since it was last sent, ms. */
  ageMs: number
  replaceMs: number
}

export type EvmStep =
  /** Nothing yet. */
  | 'wait'
  /** Record that a block has it. */
  | 'mined'
  /** Record its final end. */
  | 'done'
  | 'reverted'
  | 'cancelled'
  | 'replaced'
  | 'foreign'
  /** Send the same bytes again, after a simulation where it was never sent. */
  | 'send'
  /** Send another transaction with the same nonce at a higher fee, or the same bytes where that is not possible. */
  | 'replace'

export function evmStep(look: EvmLook): EvmStep {
  const { receipt } = look
  if (receipt !== null)
    return receipt.block > look.finalBlock ? (look.state === 'mined' ? 'wait' : 'mined') : endOf(look)
  if (look.nextNonce > look.nonce) return takenBy(look)
  if (!look.isNewest) return 'wait'
  // Its block was undone.
  if (look.state === 'mined') return 'send'
  const isLate = look.ageMs >= look.replaceMs
  if (look.state === 'sent' && look.isKnown) return isLate ? 'replace' : 'wait'
  // What no node has needs no higher fee, unless its fee is the reason.
  if (look.isBelowTip) return 'replace'
  return isLate && look.isUnderpriced ? 'replace' : 'send'
}

/** Another transaction has the nonce. A node may know the count of a new block before its receipts. */
function takenBy({ sibling, missing, finalBlock }: EvmLook): EvmStep {
  if (sibling === 'final') return 'replaced'
  if (sibling === 'mined' || missing === null) return 'wait'
  return missing.looks >= FOREIGN_LOOKS && finalBlock > missing.finalBlock ? 'foreign' : 'wait'
}

function endOf({ receipt, isCancel }: EvmLook): EvmStep {
  if (receipt?.succeeded !== true) return 'reverted'
  return isCancel ? 'cancelled' : 'done'
}

export interface AntelopeLook {
  state: 'intended' | 'sent' | 'mined'
  /** Whether the bridge API still lists the action; null: it has not answered. */
  isPending: boolean | null
  /** Whether a contract refused it at its first push: another push waits for the next try of the action. */
  isRefused: boolean
  /** Last irreversible block and its time, Unix ms. */
  libNum: number
  libTime: number
  /** Block that the node named when it took the transaction. */
  block: number | null
  /** Unix ms. */
  expiresAt: number
  /** Since it was last sent, ms. */
  ageMs: number
  againMs: number
}

/**
 * A transaction is never made again before the first one can be in no block any more: its expiration is irreversible.
 * Until then the same bytes are sent again, which a chain takes once.
 */
export function antelopeStep(look: AntelopeLook): 'wait' | 'send' | 'done' | 'expired' | 'reverted' {
  const isOver = look.libTime > look.expiresAt
  if (look.isRefused) return isOver ? 'reverted' : 'wait'
  // It may never have been sent. A chain that has it says so.
  if (look.state === 'intended') return isOver ? 'expired' : 'send'
  const isFinal = look.block !== null && look.block <= look.libNum
  if (look.isPending === false) return isFinal || isOver ? 'done' : 'wait'
  if (isOver) return look.isPending === null ? 'wait' : 'expired'
  return look.ageMs >= look.againMs ? 'send' : 'wait'
}
