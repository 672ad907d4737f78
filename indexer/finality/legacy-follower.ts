// Follows a chain before Savanna beside its blocks: makes the rows that legacy proofs of deposits are read from. Keeps the
// lineages that a fork can lead back to. Begins at one of the first two blocks of the chain, or behind an imported start;
// blocks before either have no rows. Ends with the first proper block under Savanna.
import { readBlockHeader } from '../../core/antelope/block.ts'
import { finalityExtensionOf } from '../../core/antelope/finality-extension.ts'
import { DecodeError, UserError } from '../../core/errors.ts'
import { firstLineage, isProper, type LegacyLineage, legacyLogsOf, trackLegacy } from '../../core/finality/legacy.ts'
import { legacyRowsOf } from '../../core/finality/legacy-rows.ts'
import { confirmsStart, type LegacyStart } from '../../core/finality/legacy-start.ts'
import { executedActions } from '../../core/finality/receipts.ts'
import type { PackedBlock, SourceBlock } from '../source/source.ts'
import type { LedgerRow } from '../store/rows.ts'

export interface LegacyFollowerOptions {
  chain: string
  /** Account whose log actions are proved. */
  bridge: string
  /** Null to begin with the first blocks of the chain. */
  start: LegacyStart | null
  /** Told once why blocks are indexed without what proofs need. */
  onUnfollowed?: (block: number, reason: string) => void
}

export class LegacyFollower {
  readonly #options: LegacyFollowerOptions
  /** Ascending, from the last irreversible block on. */
  #lineages: LegacyLineage[]
  #isUnfollowed = false

  constructor(options: LegacyFollowerOptions, sofar: readonly LegacyLineage[] = []) {
    this.#options = options
    this.#lineages = [...sofar]
  }

  /** Of the last block followed; null before there is one. */
  get last(): LegacyLineage | null {
    return this.#lineages.at(-1) ?? null
  }

  /**
   * Rows of the next block; none while the chain is not followed, and under Savanna.
   *
   * @param hasLogs  whether log actions of the bridge are among its actions
   * @throws DecodeError FINALITY_MISMATCH, SCHEDULE_LAYOUT, or for bytes that cannot be read; with chain and block
   */
  follow(source: SourceBlock, hasLogs: boolean): LedgerRow[] {
    try {
      if (source.kind === 'packed') return this.#follow(source, hasLogs)
      this.#lineages = []
      return []
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof UserError)) throw error
      const { chain } = this.#options
      const place = { ...error.place, chain, block: source.num }
      throw new DecodeError(error.code, `${chain}: ${error.message}`, { hint: error.hint, place, cause: error })
    }
  }

  /** Forgets the blocks from a number on: a fork replaces them. */
  rewind(num: number): void {
    this.#lineages = this.#lineages.filter(({ blockNum }) => blockNum < num)
  }

  #follow(source: PackedBlock, hasLogs: boolean): LedgerRow[] {
    const { header } = readBlockHeader(source.block)
    if (isProper(header)) return []
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
    // From the Savanna genesis block on, logs are proved by the finality tree.
    const logs = hasLogs && !isChanging ? legacyLogsOf(source.num, header, executedActions(source.traces), bridge) : []
    return legacyRowsOf(chain, tracked, logs)
  }

  /**
   * What a block goes on from; null where that is not known.
   *
   * @param isChanging  whether Savanna has begun: its own tree proves the block then
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
      : 'indexing began behind the first blocks of a chain that is not under Savanna yet'
    this.#options.onUnfollowed?.(num, reason)
    return null
  }
}
