// The logs of one node (or of several nodes of one chain): traces, deltas, finality data and blocks.

import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import { toHex } from '../../../core/hex.ts'
import { required } from '../../../core/required.ts'
import { PREVIOUS_AT } from '../packed-block.ts'
import type { BlockRange } from '../ranges.ts'
import type { BlockPosition, PackedBlock } from '../source.ts'
import { BlockLogFile } from './block-log-file.ts'
import { blockLogChains, type FileChain, requireOneChain } from './chain-ids.ts'
import { otherBranch } from './faults.ts'
import { findLogs, LOG_NAMES, type LogName } from './find.ts'
import { HistoryFile } from './history-file.ts'
import { Log } from './log.ts'
import type { LogEntry } from './log-file.ts'
import type { WindowPool } from './window-pool.ts'

export class NodeLogs {
  readonly folders: readonly string[]
  readonly traces: Log
  readonly deltas: Log
  readonly finality: Log
  readonly blocks: Log
  /** Chain id in the block log, 64 hex digits; null without a block log. */
  readonly chainId: string | null
  /** Files from which the chain id is known. */
  readonly chains: readonly FileChain[]

  /** @throws UserError OTHER_CHAIN */
  private constructor(folders: readonly string[], logs: Record<LogName, Log>, chains: readonly FileChain[]) {
    this.folders = folders
    this.traces = logs.trace_history
    this.deltas = logs.chain_state_history
    this.finality = logs.finality_data_history
    this.blocks = logs.blocks
    this.chains = chains
    this.chainId = requireOneChain(chains)
  }

  /**
   * Finds and opens the logs.
   *
   * @param maxBytes  size limit of an entry's content, bytes
   * @param pool      gives the memory of traces and deltas, and takes it back
   * @throws UserError NO_LOGS, OTHER_CHAIN when the block logs are of several chains, and as the files
   */
  static async open(folders: readonly string[], maxBytes: number, pool?: WindowPool): Promise<NodeLogs> {
    const found = await findLogs(folders)
    const logs: Partial<Record<LogName, Log>> = {}
    try {
      for (const name of LOG_NAMES) {
        const find = async () => (await findLogs(folders))[name]
        const pooled = name === 'finality_data_history' ? undefined : pool
        const open = name === 'blocks' ? BlockLogFile.open : (path: string) => HistoryFile.open(path, maxBytes, pooled)
        logs[name] = await Log.open(name, find, open)
      }
      return new NodeLogs(folders, logs as Record<LogName, Log>, await blockLogChains(found))
    } catch (error) {
      for (const log of Object.values(logs)) await log.close()
      throw error
    }
  }

  /** All logs, in the order of LOG_NAMES. */
  get all(): readonly Log[] {
    return [this.traces, this.deltas, this.finality, this.blocks]
  }

  /** The first block that all needed logs have; null if one of them is empty. */
  get begin(): number | null {
    const spans = this.#needed.map(({ span }) => span)
    return spans.some((span) => span === null)
      ? null
      : Math.max(...spans.map((span) => required(span, 'range of blocks').from))
  }

  /** The last block that all needed logs have; null if one of them is empty. */
  get end(): number | null {
    const spans = this.#needed.map(({ span }) => span)
    return spans.some((span) => span === null)
      ? null
      : Math.min(...spans.map((span) => required(span, 'range of blocks').to))
  }

  /** Missing ranges of each needed log within `range`, by the log's name. */
  missing(range: BlockRange): { log: string; ranges: BlockRange[] }[] {
    return this.#needed.flatMap((log) => {
      const ranges = log.missing(range)
      return ranges.length > 0 ? [{ log: log.name, ranges }] : []
    })
  }

  /** Id of a block in the block log. @throws as Log.read */
  async idOf(num: number): Promise<string> {
    return (await this.blocks.read(num)).id
  }

  /**
   * A block in the form in which a state-history node sends it.
   *
   * @param lib     last irreversible block, which is used as the head too
   * @param filter  selects the rows of large deltas that are kept
   * @throws UserError LOG_OTHER_BRANCH when the logs have different blocks of this number; as Log.read
   */
  async block(num: number, lib: BlockPosition, filter: RowFilter): Promise<PackedBlock> {
    const block = await this.blocks.read(num)
    const traces = await this.traces.read(num)
    const deltas = this.deltas.has(num) ? await this.deltas.readDeltas(num, filter) : null
    const finality = this.finality.has(num) ? await this.finality.read(num) : null
    for (const entry of [traces, deltas, finality]) if (entry) checkSame(entry, block)
    const prevId = toHex(block.content.subarray(PREVIOUS_AT, PREVIOUS_AT + 32))
    // Written out: an object built from spreads costs several microseconds a block.
    return {
      kind: 'packed',
      num,
      id: block.id,
      prevId,
      head: lib,
      lib,
      block: block.content,
      traces: traces.content,
      deltas: deltas?.content ?? null,
      deltaParts: deltas?.parts,
      finality: finality?.content ?? null,
      node: traces.file,
    }
  }

  /** Lists the folders again. */
  async refresh(): Promise<void> {
    for (const log of this.all) await log.refresh()
  }

  async close(): Promise<void> {
    for (const log of this.all) await log.close()
  }

  /** Logs that every block needs. The log of deltas is needed only if it exists. */
  get #needed(): Log[] {
    return this.deltas.span ? [this.blocks, this.traces, this.deltas] : [this.blocks, this.traces]
  }
}

function checkSame({ file, offset, num, id }: LogEntry, block: LogEntry): void {
  if (id !== block.id) throw otherBranch({ file, offset, block: num }, id, block)
}
