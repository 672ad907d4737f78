// Blocks from the logs of a node on disk, up to the last irreversible one. Then continues with state history if nodes
// are configured; otherwise the source ends. Read-only; the node may be running.

import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import { RetryableError, UserError } from '../../../core/errors.ts'
import { itemAt } from '../../../core/required.ts'
import { Linkage } from '../linkage.ts'
import type { BlockRange } from '../ranges.ts'
import { keepsBlock, requireFullState, usableState } from '../ship/first-state.ts'
import type { LogRange, NodeStatus } from '../ship/protocol.ts'
import type { BlockFrame, BlockPosition, BlockSource, PackedBlock, StartPosition, StateFrame } from '../source.ts'
import { type AnomalyListener, SourceStats } from '../stats.ts'
import type { Log } from './log.ts'
import { NodeLogs } from './node-logs.ts'
import { WindowPool } from './window-pool.ts'

/** State history from nodes, which continues after the logs. */
export interface LiveSource extends BlockSource<PackedBlock> {
  readonly stats: SourceStats
  /** Status of a node. @throws RetryableError when none answers */
  status(signal: AbortSignal): Promise<NodeStatus>
}

export interface LogSourceOptions {
  /** Folders with logs, all of one chain. */
  folders: readonly string[]
  /** Name of the chain, for messages. */
  chain?: string
  /** Chain id that the block log must have. */
  chainId?: string
  /** Size limit of an entry's content, bytes. */
  maxBytes?: number
  /** Nodes that continue after the logs; null: the source ends with the logs. */
  live?: LiveSource | null
  onAnomaly?: AnomalyListener
  /** Called before and after reading from the logs. `live` is true if nodes continue from there. */
  onLogs?: (event: { range: BlockRange; live: boolean; ended: boolean }) => void
}

/** Distance to the last irreversible block below which the nodes continue, blocks. */
const FAR = 1000
const MAX_BYTES = 512 << 20
/** Number of reads after which an unusable block counts as unusable. */
const MIN_TIMES = 3

export class LogSource implements BlockSource<PackedBlock> {
  readonly name = 'logs'
  readonly stats: SourceStats
  readonly #options: LogSourceOptions
  readonly #chain: string
  readonly #live: LiveSource | null
  readonly #pool = new WindowPool()
  /** Blocks that were read from the logs and not released. */
  readonly #lent = new WeakSet<PackedBlock>()
  #chainId: string | undefined
  #keepsRow: RowFilter = () => true
  /** The last unusable block and its number of reads. */
  #blamed = { block: 0, times: 0 }

  constructor(options: LogSourceOptions) {
    this.#options = options
    this.#chain = options.chain ?? 'chain'
    this.#chainId = options.chainId
    this.#live = options.live ?? null
    this.stats = this.#live?.stats ?? new SourceStats(options.onAnomaly)
  }

  /** See BlockSource. A configured id takes precedence over that of the block log. */
  async chainId(signal: AbortSignal): Promise<string | null> {
    if (this.#chainId !== undefined) return this.#chainId
    const logs = await this.#open()
    await logs.close()
    return logs.chainId ?? (await this.#live?.chainId?.(signal)) ?? null
  }

  /** See BlockSource. */
  expectChain(chainId: string): void {
    this.#chainId ??= chainId
    this.#live?.expectChain?.(chainId)
  }

  /** See BlockSource. */
  keepRows(filter: RowFilter): void {
    this.#keepsRow = filter
  }

  /** See BlockSource. If the log of deltas begins before the log of traces, its first entry is the whole state. */
  async firstState(from: number, fullState: number | undefined, signal: AbortSignal): Promise<StateFrame | null> {
    const logs = await this.#open()
    try {
      const num = this.#stateOf(logs, from, fullState)
      if (num === null) return this.#liveHas(logs, from) ? this.#liveState(from, fullState, signal) : null
      const { id, content, parts, file } = await logs.deltas.readDeltas(num, this.#keepsRow)
      const lib = await positionOf(logs, logs.end ?? num, { num, id })
      return { num, id, head: lib, lib, deltas: content, deltaParts: parts, node: file }
    } finally {
      await logs.close()
    }
  }

  /** See BlockSource. */
  async stateBlock(from: number, fullState: number | undefined, signal: AbortSignal): Promise<number | null> {
    const logs = await this.#open()
    try {
      const num = this.#stateOf(logs, from, fullState)
      if (num !== null || !this.#liveHas(logs, from)) return num
      return (await this.#live?.stateBlock?.(from, fullState, signal)) ?? null
    } finally {
      await logs.close()
    }
  }

  /** See BlockSource. Files do not change, so a block is unusable after three reads. */
  blame({ num, node }: Pick<BlockFrame, 'num' | 'node'>): boolean {
    if (node === undefined || !node.endsWith('.log')) return this.#live?.blame?.({ num, node }) ?? true
    this.#blamed = { block: num, times: this.#blamed.block === num ? this.#blamed.times + 1 : 1 }
    return this.#blamed.times >= MIN_TIMES
  }

  /** See BlockSource. */
  release(block: PackedBlock): void {
    if (!this.#lent.delete(block)) return
    this.#pool.giveBack(block.traces)
    if (block.deltas) this.#pool.giveBack(block.deltas)
  }

  /**
   * See BlockSource. Checks for missing ranges before it reads. Continues when a file is rotated meanwhile.
   *
   * @throws UserError LOG_RANGE_MISSING, LOG_OTHER_BRANCH, LOG_DAMAGED, LOG_VERSION, OTHER_CHAIN, NO_BLOCK_LOG, NO_LOGS;
   *   RetryableError LOG_GONE, LOG_CLEARED; and as the nodes
   */
  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    const linkage = new Linkage(start)
    const last = start.to ?? Number.POSITIVE_INFINITY
    const logs = await this.#open()
    try {
      while (!signal.aborted && linkage.next <= last) {
        const range = await this.#plan(logs, linkage, last, signal)
        if (!range) break
        this.#options.onLogs?.({ range, live: this.#live !== null, ended: false })
        yield* this.#read(logs, range, linkage, signal)
        await logs.refresh()
        const left = (logs.end ?? 0) - linkage.next + 1
        if (left < (this.#live ? FAR : 1)) break
      }
      const end = linkage.next - 1
      if (!signal.aborted && end < last) {
        this.#options.onLogs?.({ range: { from: end, to: end }, live: this.#live !== null, ended: true })
      }
    } finally {
      await logs.close()
    }
    if (this.#live === null || signal.aborted || linkage.next > last) return
    const { next: from, lib } = linkage
    yield* this.#live.blocks({ from, have: linkage.positions(), lib, to: start.to }, signal)
  }

  /** The next range to read; null when the logs have no wanted block. Checks that no block is missing. */
  async #plan(logs: NodeLogs, linkage: Linkage, last: number, signal: AbortSignal): Promise<BlockRange | null> {
    for (const log of logs.all) for (const warning of log.warnings) this.stats.anomaly('LOG_ODD', warning)
    const { end } = logs
    if (end === null) throw this.#incomplete(logs)
    const from = await this.#resume(logs, linkage, end)
    const range = { from, to: Math.min(end, last) }
    if (range.from > range.to) return null
    this.#noteTorn(logs)
    const missing = logs.missing(range)
    if (missing.length > 0) throw this.#missing(logs, range, missing)
    this.#noteFinality(logs.finality, range)
    if (end < last) await this.#checkSeam(end, signal)
    return range
  }

  /**
   * First block to read: the one after the newest held block that the logs have too. Held blocks above it were replaced by
   * a fork if the logs have other blocks of their numbers.
   *
   * @throws UserError LOG_OTHER_BRANCH when even the last irreversible block differs
   */
  async #resume(logs: NodeLogs, linkage: Linkage, end: number): Promise<number> {
    const held = linkage.positions()
    const within = held.filter(({ num }) => num <= end && logs.blocks.has(num))
    if (within.length === 0) return linkage.next
    for (const { num, id } of within.toReversed()) {
      if ((await logs.idOf(num)) !== id) continue
      // The nodes decide about held blocks above the logs.
      return num === itemAt(within, -1).num && itemAt(held, -1).num > num ? linkage.next : num + 1
    }
    const [{ num, id }] = within as [BlockPosition]
    if (num > linkage.lib) return num
    const file = await logs.blocks.read(num)
    const what = `block ${num} is indexed as ${id}, in ${file.file} it is ${file.id}`
    throw new UserError('LOG_OTHER_BRANCH', `${this.#chain}: ${what}`, {
      hint: 'the files are of another branch or chain: give those of the node that was indexed',
      place: { chain: this.#chain, block: num, file: file.file, offset: file.offset },
    })
  }

  async *#read(
    logs: NodeLogs,
    { from, to }: BlockRange,
    linkage: Linkage,
    signal: AbortSignal,
  ): AsyncGenerator<PackedBlock> {
    const lib = await positionOf(logs, to)
    for (let num = from; num <= to && !signal.aborted; num++) {
      const block = await this.stats.waiting(logs.block(num, lib, this.#keepsRow))
      this.stats.frames++
      this.stats.bytes += block.block.length + block.traces.length + (block.deltas?.length ?? 0)
      const verdict = linkage.accept(block)
      if (verdict === 'next' || verdict === 'fork') {
        this.#lent.add(block)
        yield block
      } else if (verdict !== 'repeat') throw this.#unlinked(block, verdict)
    }
  }

  /** Number of the block whose state the logs begin with, if a start at `from` needs it. */
  #stateOf(logs: NodeLogs, from: number, fullState: number | undefined): number | null {
    const status = statusOf(logs)
    const num = usableState(status, from, fullState)
    if (num !== null || (keepsBlock(status, from) && fullState === undefined)) return num
    requireFullState(this.#chain, logs.folders.join(', '), status.deltas.begin, fullState)
    return null
  }

  /** Whether the first wanted block must come from the nodes. */
  #liveHas(logs: NodeLogs, from: number): boolean {
    return this.#live !== null && from > (logs.end ?? 0)
  }

  async #liveState(from: number, fullState: number | undefined, signal: AbortSignal): Promise<StateFrame | null> {
    return (await this.#live?.firstState?.(from, fullState, signal)) ?? null
  }

  async #open(): Promise<NodeLogs> {
    const { folders, maxBytes = MAX_BYTES } = this.#options
    const logs = await NodeLogs.open(folders, maxBytes, this.#pool)
    const { chainId } = logs
    // Read before the first request to a node, whose own id would be adopted otherwise.
    if (chainId !== null) this.#live?.expectChain?.(this.#chainId ?? chainId)
    if (chainId === null || this.#chainId === undefined || chainId === this.#chainId) return logs
    await logs.close()
    const what = `the block log in ${folders.join(', ')} is of chain ${chainId}, ${this.#chain} is ${this.#chainId}`
    throw new UserError('OTHER_CHAIN', what, {
      hint: `correct source.logs or the chain id of ${this.#chain}`,
      place: { chain: this.#chain },
    })
  }

  /** Checks that the nodes have the block after the logs. A node that does not answer is checked when it is used. */
  async #checkSeam(end: number, signal: AbortSignal): Promise<void> {
    if (!this.#live) return
    let status: NodeStatus
    try {
      status = await this.#live.status(signal)
    } catch (error) {
      if (error instanceof RetryableError) return
      throw error
    }
    const begin = Math.max(status.traces.begin, status.deltas.begin)
    if (begin <= end + 1) return
    const what = `the logs end with block ${end}, the node has blocks from ${begin} on`
    throw new UserError('LOG_RANGE_MISSING', `${this.#chain}: ${what}: blocks ${end + 1} to ${begin - 1} are missing`, {
      hint: 'give the current logs of that node, or a node that has more blocks',
      place: { chain: this.#chain, block: end + 1 },
    })
  }

  #noteTorn(logs: NodeLogs): void {
    for (const log of logs.all) {
      for (const { file, offset, block } of log.torn) {
        const what = `${file} ends within an entry at offset ${offset}, block ${block}: reading ends before it`
        this.stats.anomaly('LOG_TORN', `${this.#chain}: ${what}`)
      }
    }
  }

  /** Warns if finality data begins within the range: proofs need it without a gap. */
  #noteFinality(finality: Log, range: BlockRange): void {
    const { span } = finality
    if (!span) return
    const missing = finality.missing({ from: Math.max(range.from, span.from), to: range.to })
    if (missing.length === 0) return
    const ranges = missing.map(({ from, to }) => `${from} to ${to}`).join(', ')
    this.stats.anomaly('LOG_NO_FINALITY', `${this.#chain}: the logs have no finality data of blocks ${ranges}`)
  }

  #incomplete(logs: NodeLogs): UserError {
    const lacking = logs.blocks.span ? 'trace_history' : 'blocks'
    return new UserError(
      'LOG_NOT_THERE',
      `${this.#chain}: ${logs.folders.join(', ')} have no log \`${lacking}\` with a block`,
      {
        hint: 'give the folders of state history and of the block log (blocks.log), with trace-history on',
        place: { chain: this.#chain },
      },
    )
  }

  #missing(logs: NodeLogs, range: BlockRange, missing: ReturnType<NodeLogs['missing']>): UserError {
    const what = missing.map(
      ({ log, ranges }) => `${log}: ${ranges.map(({ from, to }) => `${from} to ${to}`).join(', ')}`,
    )
    const begin = Math.max(...missing.map(({ ranges }) => itemAt(ranges, -1).to + 1))
    return new UserError(
      'LOG_RANGE_MISSING',
      `${this.#chain}: the logs lack blocks of ${range.from} to ${range.to}: ${what.join('; ')}`,
      {
        hint: `add the folder of these files to source.logs (now ${logs.folders.join(', ')}), or begin an empty database at block ${begin}`,
        place: { chain: this.#chain, block: itemAt(itemAt(missing, 0).ranges, 0).from },
      },
    )
  }

  #unlinked({ num, node }: PackedBlock, verdict: string): UserError {
    const what = `block ${num} of ${node} does not continue the chain (${verdict})`
    return new UserError('LOG_UNLINKED', `${this.#chain}: ${what}`, {
      hint: 'check the files with `headwater logs check`',
      place: { chain: this.#chain, block: num, file: node },
    })
  }
}

async function positionOf(logs: NodeLogs, num: number, otherwise?: BlockPosition): Promise<BlockPosition> {
  if (otherwise && !logs.blocks.has(num)) return otherwise
  return { num, id: await logs.idOf(num) }
}

/** The logs in the form of a node's status. */
function statusOf(logs: NodeLogs): NodeStatus {
  const rangeOf = ({ span }: Log): LogRange => (span ? { begin: span.from, end: span.to + 1 } : { begin: 0, end: 0 })
  const head = { num: logs.end ?? 0, id: '' }
  return {
    ...{ head, lib: head, chainId: logs.chainId },
    ...{ traces: rangeOf(logs.traces), deltas: rangeOf(logs.deltas), finality: rangeOf(logs.finality) },
  }
}
