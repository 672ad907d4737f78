// The seam to the builder of deposits' proofs.
import type { Snapshot } from './lists.ts'

export interface DepositProof {
  /** Actions that credit the deposit, in this order. */
  actions: readonly object[]
  /** Nothing that may still happen changes them. */
  immutable: boolean
}

/** @param relayer  account that will push the actions; empty when it is not known @returns null while there is none */
export type ProofOfDeposit = (
  at: Snapshot,
  key: { domain: bigint; nonce: bigint },
  relayer: string,
) => Promise<DepositProof | null>
