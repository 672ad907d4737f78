// Follows the finality of a chain: checks what each block claims about earlier blocks, and makes the rows from which
// proofs are read. Keeps the blocks that later ones can claim or replace. Starts at the Savanna genesis block or after
// an imported start; earlier blocks have no rows.

import { readBlockHeader } from '../antelope/block.ts'
import { actDigest } from '../antelope/digest.ts'
import { EMPTY_ROOT, merkleRoot } from '../antelope/merkle.ts'
import { DecodeError } from '../errors.ts'
import { itemAt } from '../required.ts'
import { type BridgeLog, bridgeLogsOf, isBridgeLogName } from './bridge-log.ts'
import { finalityExtensionOf } from './finality-extension.ts'
import { atBlock, type FollowableBlock, type FollowedRow, type PackedBlock } from './follow.ts'
import { isStrong, type QuorumCertificate, verifyQuorumCertificate } from './quorum-certificate.ts'
import { executedActions } from './receipts.ts'
import { rowsOf } from './rows.ts'
import type { FinalityStart } from './start.ts'
import {
  checkClaim,
  findPolicy,
  type Lineage,
  type PendingSince,
  type Tracked,
  type TrackedBlock,
  track,
} from './track.ts'

/** A block that a later block may claim, or follow after a fork. */
export interface Followed {
  block: TrackedBlock
  lineage: Lineage
  /** The last block made final by the strong certificates so far; 0 when unknown. */
  covered: number
}

export interface FollowerOptions {
  chain: string
  /** Account whose log actions proofs are for. */
  bridge: string
  /** Imported start; null to start at the Savanna genesis block. */
  start: FinalityStart | null
  /** Called once with the reason, when blocks under Savanna are indexed without the rows for proofs. */
  onUnfollowed?: (block: number, reason: string) => void
}

/**
 * State from the database: all policies, and the blocks from the first one that the last irreversible block claims or
 * has not made final.
 */
export interface FollowedSoFar {
  blocks: Followed[]
  policies: PendingSince[]
  /** Block of the start in use; 0 without one. */
  floor: number
}

interface NamedAction {
  account: string
  name: string
}

/** Whether a block has log actions of the bridge. */
export function hasBridgeLogs(
  { actions, undecoded }: { actions: readonly NamedAction[]; undecoded: readonly NamedAction[] },
  bridge: string,
): boolean {
  const isLog = ({ account, name }: NamedAction) => account === bridge && isBridgeLogName(name)
  return actions.some(isLog) || undecoded.some(isLog)
}

export class FinalityFollower {
  private readonly options: FollowerOptions
  private blocks: Followed[]
  private policies: PendingSince[]
  /** A certificate confirms the start only if it covers this block: nothing else proves the imported peaks. */
  private floor: number
  private isUnfollowed = false
  /** The newest strong certificate on a block that is held, and that block. */
  private newest: { certificate: QuorumCertificate; target: TrackedBlock } | null = null
  /** Number of certificates verified so far. */
  verified = 0
  /** The active policy of the first verified certificate, on which all later certificates depend. Null before it. */
  root: PendingSince | null = null

  constructor(options: FollowerOptions, stored: FollowedSoFar = { blocks: [], policies: [], floor: 0 }) {
    this.options = options
    this.blocks = stored.blocks
    this.policies = stored.policies
    this.floor = stored.floor
  }

  /** The last block followed; null before there is one. */
  get last(): Followed | null {
    return this.blocks.at(-1) ?? null
  }

  /** Whether strong certificates have confirmed every policy, and with them the start. */
  get isConfirmed(): boolean {
    const covered = this.last?.covered ?? 0
    return covered > 0 && this.policies.every((policy) => this.confirmedBy(policy) <= covered)
  }

  /** The policies known so far, by the block in which each became pending. */
  get knownPolicies(): readonly PendingSince[] {
    return this.policies
  }

  /** The last block followed, as a start for another database; null before there is one. */
  get asStart(): FinalityStart | null {
    const { last } = this
    if (!last) return null
    const { activeGeneration, lastPendingGeneration } = last.block.data
    const voting = ({ policy }: PendingSince) => [activeGeneration, lastPendingGeneration].includes(policy.generation)
    return { lineage: last.lineage, policies: this.policies.filter(voting), blockId: last.block.blockId }
  }

  /**
   * Rows of the next block; none while the chain is not followed.
   *
   * @param hasLogs  whether the block has log actions of the bridge
   * @throws DecodeError FINALITY_MISSING, FINALITY_MISMATCH, FINALITY_VERSION, CERTIFICATE_INVALID, or for malformed
   *   bytes; all name the chain and the block
   */
  follow(source: FollowableBlock, hasLogs: boolean): FollowedRow[] {
    return atBlock(this.options.chain, source.num, () =>
      source.kind === 'packed' ? this.followPacked(source, hasLogs) : this.skipUnpacked(source.num),
    )
  }

  /** Drops the blocks from `num` on, which a fork replaces. */
  rewind(num: number): void {
    this.blocks = this.blocks.filter(({ block }) => block.blockNum < num)
    // Without blocks there are no policies: `begin` loads the start's policies again.
    this.policies = this.blocks.length > 0 ? this.policies.filter(({ blockNum }) => blockNum < num) : []
    if (this.blocks.length === 0) this.floor = 0
    this.newest = null
  }

  private followPacked(source: PackedBlock, hasLogs: boolean): FollowedRow[] {
    const parent = this.last?.lineage ?? this.begin(source)
    if (parent === 'unfollowed') return []
    const tracked = track(parent, source)
    this.checkClaim(tracked.block, parent)
    this.checkGenerations(tracked)
    const logs = hasLogs ? this.logs(source, tracked.block) : []
    const verified = this.take(tracked, source.lib.num)
    return rowsOf(this.options.chain, tracked, logs, verified)
  }

  /** The parent lineage of the first block followed; null for the genesis block. */
  private begin(source: PackedBlock): Lineage | null | 'unfollowed' {
    const { start } = this.options
    if (start && source.num === start.lineage.blockNum + 1) {
      if (source.prevId !== start.blockId) {
        throw new DecodeError(
          'FINALITY_MISMATCH',
          `block ${source.num} follows ${source.prevId}, the imported start is ${start.blockId}`,
          { hint: 'the start is of another chain or of a lost branch: import another one' },
        )
      }
      this.policies = [...start.policies]
      this.floor = start.lineage.blockNum
      return start.lineage
    }
    const claim = finalityExtensionOf(readBlockHeader(source.block).header)?.claim
    if (!claim) return 'unfollowed' // before Savanna
    if (claim.blockNum === source.num) return null
    if (!start) this.reportUnfollowed(source.num, 'indexing began after the Savanna genesis block of the chain')
    else if (source.num > start.lineage.blockNum + 1) {
      this.reportUnfollowed(
        source.num,
        `the imported start is block ${start.lineage.blockNum}, which is indexed already`,
      )
    }
    return 'unfollowed'
  }

  private reportUnfollowed(num: number, reason: string): void {
    if (this.isUnfollowed) return
    this.isUnfollowed = true
    this.options.onUnfollowed?.(num, reason)
  }

  private skipUnpacked(num: number): FollowedRow[] {
    if (this.blocks.length === 0) return []
    throw new DecodeError('FINALITY_MISSING', `block ${num} comes without finality data`, {
      hint: 'read from a state-history node, or set finality to false to go on without proofs',
    })
  }

  private at(num: number): Followed | undefined {
    const [first] = this.blocks
    return first && this.blocks[num - first.block.blockNum]
  }

  private checkClaim(block: TrackedBlock, parent: Lineage | null): void {
    const { claimBlockNum } = block.data
    if (!parent) return
    const last = this.last?.block.data.claimBlockNum ?? 0
    if (claimBlockNum < last || claimBlockNum >= block.blockNum) {
      throw new DecodeError(
        'FINALITY_MISMATCH',
        `block ${block.blockNum} claims block ${claimBlockNum}, its parent block ${last}`,
        { hint: 'the node has sent wrong data: take another one' },
      )
    }
    const claimed = this.at(claimBlockNum)
    const root = (tree: Lineage) => (claimBlockNum === tree.genesis ? EMPTY_ROOT : tree.tree.root())
    if (claimed) {
      const { timestamp, finalityDigest } = claimed.block
      checkClaim(block, { timestamp, finalityDigest, root: root(claimed.lineage) })
    } else if (claimBlockNum === parent.blockNum) {
      checkClaim(block, { timestamp: parent.timestamp, finalityDigest: null, root: root(parent) })
    }
  }

  /** Generations of policies only grow, so no later policy takes the place of one that is trusted. */
  private checkGenerations({ block: { blockNum, data }, policy }: Tracked): void {
    const { activeGeneration: active, lastPendingGeneration: pending } = data
    const before = this.last?.block.data ?? { activeGeneration: 0, lastPendingGeneration: 0 }
    const isKnown = policy && this.policies.some((known) => known.policy.generation >= policy.policy.generation)
    const grows = active >= before.activeGeneration && pending >= before.lastPendingGeneration && active <= pending
    if (grows && !isKnown) return
    const found = `active finalizer policy ${active} and last pending one ${pending}`
    const last = `its parent ${before.activeGeneration} and ${before.lastPendingGeneration}`
    throw new DecodeError('FINALITY_MISMATCH', `block ${blockNum} has ${found}, ${last}`, {
      hint: 'the node or the imported start is wrong: take another one',
    })
  }

  private logs({ num, traces }: PackedBlock, { data }: TrackedBlock): BridgeLog[] {
    const actions = executedActions(traces)
    const logs = bridgeLogsOf(num, actions, this.options.bridge)
    const isWrong = ({ leaves, index }: BridgeLog) => {
      const { action, receipt, returnValue } = itemAt(actions, index)
      if (Buffer.compare(actDigest(action, returnValue), receipt.actDigest) !== 0) return true
      return Buffer.compare(merkleRoot(leaves), data.actionMroot) !== 0
    }
    if (!logs.some(isWrong)) return logs
    throw new DecodeError(
      'FINALITY_MISMATCH',
      `the actions of block ${num} lead to another root than its finality data`,
      {
        hint: 'the node has sent wrong data: take another one',
      },
    )
  }

  /** @returns whether the block's certificate was verified */
  private take(tracked: Tracked, lib: number): boolean {
    const { block, lineage, policy, certificate } = tracked
    if (policy) this.policies.push(policy)
    const before = this.last?.covered ?? 0
    const followed = { block, lineage, covered: before }
    this.blocks.push(followed)
    const target = certificate && isStrong(certificate) ? this.at(certificate.blockNum)?.block : undefined
    let verified = false
    if (certificate && target) {
      verified = this.confirm(certificate, target, before)
      this.newest = { certificate, target }
      followed.covered = Math.max(before, target.data.claimBlockNum)
    }
    this.prune(this.at(Math.min(lib, block.blockNum)))
    return verified
  }

  /** Drops blocks that no block after the irreversible one can claim or make final. */
  private prune(irreversible: Followed | undefined): void {
    if (!irreversible) return
    const { block, covered } = irreversible
    const first = itemAt(this.blocks, 0).block.blockNum
    const kept = Math.min(block.data.claimBlockNum, covered + 1)
    if (kept > first) this.blocks.splice(0, kept - first)
  }

  /** The block that a strong certificate must cover to confirm a policy. */
  private confirmedBy({ blockNum }: PendingSince): number {
    return Math.max(blockNum, this.floor)
  }

  /**
   * Verifies the first strong certificate that makes the promotion of a policy final. Verification takes tens of
   * milliseconds, so other certificates are left to the proofs that use them and delay no rows.
   *
   * @returns whether it was verified
   */
  private confirm(certificate: QuorumCertificate, target: TrackedBlock, before: number): boolean {
    const covered = target.data.claimBlockNum
    const isFirst = this.policies.some((policy) => {
      const by = this.confirmedBy(policy)
      return by > before && by <= covered
    })
    if (!isFirst) return false
    this.verify(certificate, target, before)
    return true
  }

  /**
   * Verifies the newest strong certificate.
   *
   * @returns the last block that it makes final; null while there is no certificate
   * @throws DecodeError CERTIFICATE_INVALID, FINALITY_MISMATCH
   */
  checkNewest(): number | null {
    if (!this.newest) return null
    this.verify(this.newest.certificate, this.newest.target, this.last?.covered ?? 0)
    return this.newest.target.data.claimBlockNum
  }

  /** @param covered  the last block that certificates before this one have made final */
  private verify(certificate: QuorumCertificate, target: TrackedBlock, covered: number): void {
    const { activeGeneration, lastPendingGeneration } = target.data
    const active = this.policy(activeGeneration)
    this.checkHandedOver(active, target, covered)
    const pending = lastPendingGeneration === activeGeneration ? null : this.policy(lastPendingGeneration).policy
    if (!verifies(certificate, { active: active.policy, pending }, target)) {
      throw new DecodeError('CERTIFICATE_INVALID', `the certificate on block ${target.blockNum} does not verify`, {
        hint: 'the node or the imported start is wrong: take another one',
      })
    }
    this.verified++
    this.root ??= active
  }

  /**
   * Checks that a policy may vote: it is the genesis policy or one of the start, or a verified certificate of an
   * earlier one made final the block in which it became pending. That block's finality digest commits to the policy.
   *
   * `confirm` verifies the first certificate that covers this block, so the number of the last covered block suffices.
   */
  private checkHandedOver({ policy, blockNum }: PendingSince, target: TrackedBlock, covered: number): void {
    const first = Math.max(this.floor, this.last?.lineage.genesis ?? 0)
    if (blockNum <= Math.max(first, covered)) return
    const what = `block ${target.blockNum} is under finalizer policy ${policy.generation}`
    throw new DecodeError('FINALITY_MISMATCH', `${what}, which no certificate of an earlier policy confirms`, {
      hint: 'the node or the imported start is wrong: take another one',
    })
  }

  private policy(generation: number): PendingSince {
    const found = findPolicy(this.policies, generation)
    if (found) return found
    throw new DecodeError('FINALITY_MISMATCH', `finalizer policy ${generation} is not known`, {
      hint: 'the node or the imported start is wrong: take another one',
    })
  }
}

function verifies(
  certificate: QuorumCertificate,
  policies: Parameters<typeof verifyQuorumCertificate>[1],
  { finalityDigest }: TrackedBlock,
): boolean {
  try {
    return verifyQuorumCertificate(certificate, policies, finalityDigest)
  } catch (error) {
    if (error instanceof DecodeError) return false // no points of the curve
    throw error
  }
}
