// Gas estimates from the measurements in docs/bridge/proofs.md: the more expensive case of each, which writes a new
// storage word of the vault and pays a recipient without a balance. Pure.

const LIGHT = 151_000
const HARD = 356_000
const FINALIZER = 2_500
/** Second quorum while a policy is pending. */
const JOINT = 63_000
/** Nonzero calldata, and the event's data. */
const MEMO_BYTE = 30
/** Fee to an account without a balance. */
const FEE = 26_000
/** `submitAndLearn`: a root, and a proof of the block in which the policy became pending. */
const HANDOFF = 318_000
/** A finalizer of the learned policy: it signs, and its key is read twice and stored. */
const LEARNED_FINALIZER = 9_500

export interface GasCase {
  memoBytes: number
  hasFee: boolean
  /** Finalizers of the active policy. */
  finalizers: number
  /** Finalizers of the pending policy, 0 if there is none. */
  pending: number
  /** Whether a stored root covers the burn. */
  covered: boolean
  /** Policies that the light client must learn first. */
  handoffs: readonly HandoffCase[]
}

/** A hand-off to a new policy. */
export interface HandoffCase {
  /** Finalizers of the policy that signs the root. */
  finalizers: number
  /** Finalizers of the learned policy: it is pending at that block, so it signs too. */
  learned: number
}

export interface EstimatedGas {
  light: number | null
  /** The release and all hand-offs, each a separate transaction. */
  hard: number
  /** The hand-offs' part of `hard`. */
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
