// Estimates of gas, from the measured cases of docs/bridge/proofs.md: the dearer one of each, with the first id of a word of the
// vault's storage and a recipient without a balance. Pure.

const LIGHT = 151_000
const HARD = 356_000
const FINALIZER = 2_500
/** A second quorum, while a policy is pending. */
const JOINT = 63_000
/** Calldata that is not zero, and the event's data. */
const MEMO_BYTE = 30
/** Paying a fee to one without a balance. */
const FEE = 26_000
/** `submitAndLearn`: a root, and the way to the block in which the policy became pending. */
const HANDOFF = 318_000
/** A finalizer of the policy that is learned: it signs, and its key is read twice and kept. */
const LEARNED_FINALIZER = 9_500

export interface GasCase {
  memoBytes: number
  hasFee: boolean
  /** Of the active policy, and of the pending one, 0 when none is pending. */
  finalizers: number
  pending: number
  /** Whether a stored root covers the burn. */
  covered: boolean
  /** What the light client has to learn first. */
  handoffs: readonly HandoffCase[]
}

/** A policy that is handed over. */
export interface HandoffCase {
  /** Of the policy that signs the root. */
  finalizers: number
  /** Of the policy that is learned, which is pending there and signs, too. */
  learned: number
}

export interface EstimatedGas {
  light: number | null
  /** Everything: the hand-overs, which are transactions of their own, and the release. */
  hard: number
  /** Of it, the hand-overs. */
  handoffs: number
}

export function estimateGas({ memoBytes, hasFee, finalizers, pending, covered, handoffs }: GasCase): EstimatedGas {
  const more = memoBytes * MEMO_BYTE + (hasFee ? FEE : 0)
  const joint = pending === 0 ? 0 : JOINT + pending * FINALIZER
  const learning = handoffs.reduce(
    (sum, one) => sum + HANDOFF + one.finalizers * FINALIZER + one.learned * LEARNED_FINALIZER,
    0,
  )
  const hard = HARD + finalizers * FINALIZER + joint + more + learning
  return { light: covered ? LIGHT + more : null, hard, handoffs: learning }
}
