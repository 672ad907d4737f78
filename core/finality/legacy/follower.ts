// Follows a chain before Savanna: makes the rows from which legacy proofs of deposits are read. Keeps the lineages to
// which a fork can return. Starts at one of the chain's first two blocks or after an imported start; earlier blocks
// have no rows. Ends at the first proper block under Savanna.
import { readBlockHeader } from '../../antelope/block.ts'
import { DecodeError } from '../../errors.ts'
import { finalityExtensionOf } from '../finality-extension.ts'
import { atBlock, type FollowableBlock, type FollowedRow, type PackedBlock } from '../follow.ts'
import { executedActions } from '../receipts.ts'
import { legacyRowsOf } from './rows.ts'
import { confirmsStart, type LegacyStart } from './start.ts'
import { firstLineage, isSavannaHeader, type LegacyLineage, legacyLogsOf, trackLegacy } from './track.ts'

export interface LegacyFollowerOptions {
  chain: string
  /** Account whose log actions proofs are for. */
  bridge: string
  /** Imported start; null to start at the chain's first blocks. */
  start: LegacyStart | null
  /** Called once with the reason, when blocks are indexed without the rows for proofs. */
  onUnfollowed?: (block: number, reason: string) => void
}

export class LegacyFollower {
  readonly #options: LegacyFollowerOptions
  /** Ascending, from the last irreversible block. */
  #lineages: LegacyLineage[]
  #isUnfollowed = false

  constructor(options: LegacyFollowerOptions, stored: readonly LegacyLineage[] = []) {
    this.#options = options
    this.#lineages = [...stored]
  }

  /** Lineage of the last block followed; null before there is one. */
  get last(): LegacyLineage | null {
    return this.#lineages.at(-1) ?? null
  }

  /**
   * Rows of the next block; none while the chain is not followed, and under Savanna.
   *
   * @param hasLogs  whether the block has log actions of the bridge
   * @throws DecodeError FINALITY_MISMATCH, SCHEDULE_LAYOUT, or for malformed bytes; with chain and block
   */
  follow(source: FollowableBlock, hasLogs: boolean): FollowedRow[] {
    if (source.kind === 'packed') {
      return atBlock(this.#options.chain, source.num, () => this.#follow(source, hasLogs))
    }
    this.#lineages = []
    return []
  }

  /** Drops the blocks from `num` on, which a fork replaces. */
  rewind(num: number): void {
    this.#lineages = this.#lineages.filter(({ blockNum }) => blockNum < num)
  }

  #follow(source: PackedBlock, hasLogs: boolean): FollowedRow[] {
    const { header } = readBlockHeader(source.block)
    if (isSavannaHeader(header)) return []
    const isChanging = finalityExtensionOf(header) !== null
    const parent = this.#parentOf(source, isChanging)
    if (!parent) return []
    const { chain, bridge, start } = this.#options
    const tracked = trackLegacy(parent, source, hasLogs)
    if (start && source.num === start.lineage.blockNum + 1 && !confirmsStart(start, tracked, source.block))
      throw new DecodeError(
        'FINALITY_MISMATCH',
        `the producer of block ${source.num} has not signed the imported start`,
        {
          hint: 'the start is of another chain or of a lost branch: import another one',
        },
      )
    this.#lineages.push(tracked.lineage)
    const kept = this.#lineages.findLastIndex(({ blockNum }) => blockNum <= source.lib.num)
    if (kept > 0) this.#lineages.splice(0, kept)
    // From the Savanna genesis block on, the finality tree proves logs.
    const logs = hasLogs && !isChanging ? legacyLogsOf(source.num, header, executedActions(source.traces), bridge) : []
    return legacyRowsOf(chain, tracked, logs)
  }

  /**
   * Lineage of a block's parent; null when unknown.
   *
   * @param isChanging  whether the block is the Savanna genesis block or later: Savanna's tree then proves it
   */
  #parentOf({ num, prevId }: PackedBlock, isChanging: boolean): LegacyLineage | null {
    const { last } = this
    if (last) return last
    const { start } = this.#options
    if (start?.lineage.blockNum === num - 1) return start.lineage
    if (num === 1 || num === 2) return firstLineage(num, prevId)
    if (this.#isUnfollowed || isChanging) return null
    this.#isUnfollowed = true
    const reason = start
      ? `the imported start is block ${start.lineage.blockNum}, which is indexed already`
      : 'indexing began after the first blocks of a chain that is not under Savanna yet'
    this.#options.onUnfollowed?.(num, reason)
    return null
  }
}
