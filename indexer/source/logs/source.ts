// Blocks from the logs of a node on disk, up to the last irreversible one. From there state history goes on, if nodes
// are configured; otherwise the source ends. Read-only; the node may be running.
import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import { RetryableError, UserError } from '../../../core/errors.ts'
import { Linkage } from '../linkage.ts'
import type { BlockRange } from '../ranges.ts'
import { beginsWithState, checkFullState, keepsBlock } from '../ship/first-state.ts'
import type { LogRange, NodeStatus } from '../ship/protocol.ts'
import type { BlockFrame, BlockPosition, BlockSource, PackedBlock, StartPosition, StateFrame } from '../source.ts'
import { type AnomalyListener, SourceStats } from '../stats.ts'
import type { Log } from './log.ts'
import { NodeLogs } from './node-logs.ts'

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
  /** Called before blocks are read from the logs, and when they end: `live` tells whether nodes go on. */
  onLogs?: (event: { range: BlockRange; live: boolean; ended: boolean }) => void
}

/** Within this many blocks of the last irreversible block, the nodes go on. */
const FAR = 1000
const MAX_BYTES = 512 << 20
/** Times that an unusable block of a file is read before it counts as unusable. */
const MIN_TIMES = 3

export class LogSource implements BlockSource<PackedBlock> {
  readonly name = 'logs'
  readonly stats: SourceStats
  readonly #options: LogSourceOptions
  readonly #chain: string
  readonly #live: LiveSource | null
  #chainId: string | undefined
  #keepsRow: RowFilter = () => true
  /** The block last blamed, and how often. */
  #blamed = { block: 0, times: 0 }

  constructor(options: LogSourceOptions) {
    this.#options = options
    this.#chain = options.chain ?? 'chain'
    this.#chainId = options.chainId
    this.#live = options.live ?? null
    this.stats = this.#live?.stats ?? new SourceStats(options.onAnomaly)
  }

  /** See BlockSource. A configured id takes precedence, then that of the block log. */
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

  /** See BlockSource. The first entry of a log of deltas that begins before the traces is the whole state. */
  async firstState(from: number, fullState: number | undefined, signal: AbortSignal): Promise<StateFrame | null> {
    const logs = await this.#open()
    try {
      const num = this.#stateOf(logs, from, fullState)
      if (num === null) return this.#liveHas(logs, from) ? this.#liveState(from, fullState, signal) : null
      const { id, content, parts } = await logs.deltas.readDeltas(num, this.#keepsRow)
      const lib = await positionOf(logs, logs.end ?? num, { num, id })
      return { num, id, head: lib, lib, deltas: content, deltaParts: parts }
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

  /** See BlockSource. A file does not change: its block is unusable after three times. */
  blame({ num, node }: Pick<BlockFrame, 'num' | 'node'>): boolean {
    if (node === undefined || !node.endsWith('.log')) return this.#live?.blame?.({ num, node }) ?? true
    this.#blamed = { block: num, times: this.#blamed.block === num ? this.#blamed.times + 1 : 1 }
    return this.#blamed.times >= MIN_TIMES
  }

  /**
   * See BlockSource. Names missing ranges before it reads. A file that is rotated meanwhile is read on.
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

  /** The blocks to read now; null when the logs have none that is wanted. Checks that nothing is missing. */
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
   * First block to read: after the newest held block that the logs have too. Held blocks that the logs have otherwise
   * were replaced by a fork.
   *
   * @throws UserError LOG_OTHER_BRANCH when even the last irreversible block differs
   */
  async #resume(logs: NodeLogs, linkage: Linkage, end: number): Promise<number> {
    const held = linkage.positions()
    const within = held.filter(({ num }) => num <= end && logs.blocks.has(num))
    if (within.length === 0) return linkage.next
    for (const { num, id } of within.toReversed()) {
      if ((await logs.idOf(num)) !== id) continue
      // Held blocks above the logs are for the nodes to judge.
      return num === within.at(-1)!.num && held.at(-1)!.num > num ? linkage.next : num + 1
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
      if (verdict === 'next' || verdict === 'fork') yield block
      else if (verdict !== 'repeat') throw this.#unlinked(block, verdict)
    }
  }

  /** Number of the block whose state the logs begin with, if a start at `from` needs it. */
  #stateOf(logs: NodeLogs, from: number, fullState: number | undefined): number | null {
    const status = statusOf(logs)
    if (keepsBlock(status, from) && fullState === undefined) return null
    const num = status.deltas.begin
    if (beginsWithState(status) && from <= num + 1) return num
    checkFullState(this.#chain, logs.folders.join(', '), status, fullState)
    return null
  }

  /** Whether the first block wanted has to come from the nodes. */
  #liveHas(logs: NodeLogs, from: number): boolean {
    return this.#live !== null && from > (logs.end ?? 0)
  }

  async #liveState(from: number, fullState: number | undefined, signal: AbortSignal): Promise<StateFrame | null> {
    return (await this.#live?.firstState?.(from, fullState, signal)) ?? null
  }

  async #open(): Promise<NodeLogs> {
    const { folders, maxBytes = MAX_BYTES } = this.#options
    const logs = await NodeLogs.open(folders, maxBytes)
    const { chainId } = logs
    // Before the first question to a node: a node's own id would count otherwise.
    if (chainId !== null) this.#live?.expectChain?.(this.#chainId ?? chainId)
    if (chainId === null || this.#chainId === undefined || chainId === this.#chainId) return logs
    await logs.close()
    const what = `the block log in ${folders.join(', ')} is of chain ${chainId}, ${this.#chain} is ${this.#chainId}`
    throw new UserError('OTHER_CHAIN', what, {
      hint: `correct source.logs or the chain id of ${this.#chain}`,
      place: { chain: this.#chain },
    })
  }

  /** The nodes must keep the block after the logs. A node that does not answer now is asked later. */
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
    const what = `the logs end with block ${end}, the node keeps blocks from ${begin} on`
    throw new UserError('LOG_RANGE_MISSING', `${this.#chain}: ${what}: blocks ${end + 1} to ${begin - 1} are missing`, {
      hint: 'give the current logs of that node, or a node that keeps more blocks',
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

  /** Proofs need finality data without a gap: it is said where they begin, if that is within the range. */
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
    const begin = Math.max(...missing.map(({ ranges }) => ranges.at(-1)!.to + 1))
    return new UserError(
      'LOG_RANGE_MISSING',
      `${this.#chain}: the logs lack blocks of ${range.from} to ${range.to}: ${what.join('; ')}`,
      {
        hint: `add the folder of these files to source.logs (now ${logs.folders.join(', ')}), or begin an empty database at block ${begin}`,
        place: { chain: this.#chain, block: missing[0]!.ranges[0]!.from },
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

/** The logs as a node would tell them. */
function statusOf(logs: NodeLogs): NodeStatus {
  const rangeOf = ({ span }: Log): LogRange => (span ? { begin: span.from, end: span.to + 1 } : { begin: 0, end: 0 })
  const head = { num: logs.end ?? 0, id: '' }
  return {
    ...{ head, lib: head, chainId: logs.chainId },
    ...{ traces: rangeOf(logs.traces), deltas: rangeOf(logs.deltas), finality: rangeOf(logs.finality) },
  }
}
