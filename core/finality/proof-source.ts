// Interface from which proofs read block data. A source holds one branch of one chain. Two classes implement it: one
// reads the database (finality-store/proof-source.ts), one the memory (proofs/memory-store.ts).

import type { Burn } from './burn.ts'
import type { NodePosition } from './positions.ts'
import type { QuorumCertificate } from './quorum-certificate.ts'
import type { PendingSince, TrackedBlock } from './track.ts'

export interface Certified {
  block: TrackedBlock
  certificate: QuorumCertificate
  /** Whether its signatures have already been checked. */
  verified: boolean
}

export interface ProofSource {
  /** Number of the block of leaf 0; null before the first block. */
  genesis(): Promise<number | null>
  block(num: number): Promise<TrackedBlock | null>
  /** Full nodes of the finality tree, in the order of `positions`. @throws BugError NODE_NOT_STORED */
  nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]>
  /** Policies that became pending, with the genesis policy, ascending by generation. */
  policies(): Promise<PendingSince[]>
  /**
   * The first block with a strong certificate that claims `claim` or a later block.
   *
   * @param generation  minimum generation of its active policy
   * @param skip        number of such blocks to skip; default 0
   */
  certified(claim: number, generation: number, skip?: number): Promise<Certified | null>
  burn(id: bigint): Promise<Burn | null>
}
