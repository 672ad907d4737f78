// An in-memory proof source that grows block by block and can be rewound to a fork point. Checks its input: claims
// against its own digests and tree, action roots against its own leaves. Blocks come from `track`.

import { EMPTY_ROOT, merkleRoot } from '../core/antelope/merkle.ts'
import { BugError, DecodeError } from '../core/errors.ts'
import type { Burn } from '../core/finality/burn.ts'
import {
  lastLeafOf,
  type NodePosition,
  type NodeReader,
  nodeKey,
  peaksByKey,
  rootOf,
} from '../core/finality/positions.ts'
import type { Certified, ProofSource } from '../core/finality/proof-source.ts'
import { isStrong } from '../core/finality/quorum-certificate.ts'
import { checkClaim, type Lineage, type PendingSince, type Tracked, type TrackedBlock } from '../core/finality/track.ts'
import { required } from '../core/required.ts'

interface Entry extends Tracked {
  burns: readonly Burn[]
}

export class MemoryStore implements ProofSource {
  private readonly entries: Entry[] = []
  private readonly start: Lineage | null
  private readonly known: readonly PendingSince[]
  /** Nodes before the first block, by level and index. */
  private readonly peaks: ReadonlyMap<string, Uint8Array>

  /**
   * @param start     lineage to continue from; null to start with the genesis block
   * @param policies  active and pending policies at the start
   */
  constructor(start: Lineage | null = null, policies: readonly PendingSince[] = []) {
    this.start = start
    this.known = policies
    this.peaks = peaksByKey(start?.tree)
  }

  /** Lineage of the last block; null before the first. */
  get lineage(): Lineage | null {
    return this.entries.at(-1)?.lineage ?? this.start
  }

  private get first(): number {
    return this.entries[0]?.block.blockNum ?? (this.start ? this.start.blockNum + 1 : 0)
  }

  private entry(num: number): Entry | undefined {
    return this.entries[num - this.first]
  }

  private leafIndex(num: number): number {
    return num - required(this.lineage, 'lineage').genesis
  }

  private readonly node: NodeReader = (position) => {
    const hash =
      this.peaks.get(nodeKey(position)) ??
      this.entry(lastLeafOf(position) + required(this.lineage, 'lineage').genesis)?.nodes[position.level]
    if (hash) return hash
    throw new BugError('NODE_NOT_STORED', `no node ${position.at} of level ${position.level} in the finality tree`)
  }

  /**
   * Appends the next block.
   *
   * @param burns  its withdrawals
   * @throws DecodeError FINALITY_MISMATCH; the store is then unchanged
   */
  append(tracked: Tracked, burns: readonly Burn[]): void {
    const { block, lineage } = tracked
    if (this.lineage && block.blockNum !== this.lineage.blockNum + 1) {
      throw new BugError('BROKEN_LINK', `block ${block.blockNum} does not follow block ${this.lineage.blockNum}`)
    }
    this.checkActions(block, burns)
    const claim = block.data.claimBlockNum
    const claimed = this.entry(claim)
    if (claimed && claim < block.blockNum) {
      const root = claim === lineage.genesis ? EMPTY_ROOT : rootOf(this.leafIndex(claim) + 1, this.node)
      const { timestamp, finalityDigest } = claimed.block
      checkClaim(block, { timestamp, finalityDigest, root })
    }
    this.entries.push({ ...tracked, burns })
  }

  private checkActions({ blockNum, data }: TrackedBlock, burns: readonly Burn[]): void {
    const wrong = burns.find(({ leaves }) => Buffer.compare(merkleRoot(leaves), data.actionMroot) !== 0)
    if (!wrong) return
    throw new DecodeError('FINALITY_MISMATCH', `the actions of block ${blockNum} lead to another root`, {
      place: { block: blockNum },
    })
  }

  /** Removes all blocks after `num`. @throws BugError when `num` is before the first block */
  rewind(num: number): void {
    if (num < this.first - 1) throw new BugError('REWIND_TOO_DEEP', `block ${num} is before the first stored one`)
    this.entries.length = Math.min(this.entries.length, num - this.first + 1)
  }

  async genesis(): Promise<number | null> {
    return this.lineage?.genesis ?? null
  }

  async block(num: number): Promise<TrackedBlock | null> {
    return this.entry(num)?.block ?? null
  }

  async nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]> {
    return positions.map(this.node)
  }

  async policies(): Promise<PendingSince[]> {
    return [...this.known, ...this.entries.flatMap(({ policy }) => (policy ? [policy] : []))]
  }

  async certified(claim: number, generation: number, skip = 0): Promise<Certified | null> {
    const found = new Map<number, Certified>()
    for (const { certificate } of this.entries) {
      if (!certificate || !isStrong(certificate)) continue
      const block = this.entry(certificate.blockNum)?.block
      if (!block || block.data.claimBlockNum < claim || block.data.activeGeneration < generation) continue
      if (!found.has(block.blockNum)) found.set(block.blockNum, { block, certificate, verified: false })
    }
    const ascending = [...found.values()].sort((a, b) => a.block.blockNum - b.block.blockNum)
    return ascending[skip] ?? null
  }

  async burn(id: bigint): Promise<Burn | null> {
    for (const { burns } of this.entries) for (const burn of burns) if (burn.id === id) return burn
    return null
  }
}
