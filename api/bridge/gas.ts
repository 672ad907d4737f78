// Estimates of gas, from the measured cases of docs/proofs.md: the dearer one of each, with the first id of a word of the
// vault's storage and a recipient without a balance. Pure.

const LIGHT = 148_000
const HARD = 353_000
const FINALIZER = 2_500
/** A second quorum, while a policy is pending. */
const JOINT = 63_000
/** Calldata that is not zero, and the event's data. */
const MEMO_BYTE = 30
/** Paying a fee to one without a balance. */
const FEE = 26_000

export interface GasCase {
  memoBytes: number
  hasFee: boolean
  /** Of the active policy, and of the pending one, 0 when none is pending. */
  finalizers: number
  pending: number
  /** Whether a stored root covers the burn. */
  covered: boolean
}

export function estimateGas({ memoBytes, hasFee, finalizers, pending, covered }: GasCase): {
  light: number | null
  hard: number
} {
  const more = memoBytes * MEMO_BYTE + (hasFee ? FEE : 0)
  const joint = pending === 0 ? 0 : JOINT + pending * FINALIZER
  return { light: covered ? LIGHT + more : null, hard: HARD + finalizers * FINALIZER + joint + more }
}
