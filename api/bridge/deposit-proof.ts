// Interface of the builder of deposit proofs.
import type { Snapshot } from './bridge-context.ts'

interface DepositProof {
  /** Actions that credit the deposit, in execution order. */
  actions: readonly object[]
  /** Whether the actions can no longer change. */
  immutable: boolean
}

/** @param relayer  account that will push the actions; empty if unknown @returns null while there is no proof */
export type ProofOfDeposit = (
  at: Snapshot,
  key: { domain: bigint; nonce: bigint },
  relayer: string,
) => Promise<DepositProof | null>
