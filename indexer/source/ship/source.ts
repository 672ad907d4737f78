// Blocks from state-history nodes. Reconnects, fails over to other nodes and checks every frame against the chain
// yielded so far: the yielded blocks are linked, without gaps and repeats.
import { DecodeError, HeadwaterError, RetryableError, UserError } from '../../../core/errors.ts'
import { Backoff } from '../../../net/backoff.ts'
import { Linkage } from '../linkage.ts'
import { toPackedBlock } from '../packed-block.ts'
import type { BlockFrame, BlockSource, PackedBlock, StartPosition, StateFrame } from '../source.ts'
import { SourceStats } from '../stats.ts'
import { ShipConnection } from './connection.ts'
import { atBlock, isUnreadable, unreadable } from './failure.ts'
import { keepsBlock, readFirstState, requireFullState, usableState } from './first-state.ts'
import { Nodes } from './nodes.ts'
import { type ShipOptions, type ShipSettings, shipSettings } from './options.ts'
import { type NodeStatus, unpackMessage } from './protocol.ts'

const LIVE = 0xffffffff
/** Hint when blocks are already indexed. */
const HINT_EMPTY_DATABASE = 'index into an empty database from a later block'

export class ShipSource implements BlockSource {
  readonly name = 'ship'
  readonly stats: SourceStats
  /** The ABI text of the node last connected to. */
  abi: string | undefined
  readonly #settings: ShipSettings
  #chainId: string | undefined
  /** Whether blocks have table deltas, as on the first node; all other nodes must then have them too. */
  #deltas: boolean | undefined
  readonly #nodes: Nodes

  constructor(options: ShipOptions) {
    if (options.urls.length === 0) throw new UserError('NO_NODE', 'no state-history address is configured')
    this.#settings = shipSettings(options)
    this.#nodes = new Nodes(options.urls)
    this.#chainId = options.chainId
    this.stats = new SourceStats(options.onAnomaly)
  }

  /**
   * See BlockSource. Connection failures, gaps and silence are counted and retried internally. Throws a UserError only
   * when every node has failed with one since the last block.
   */
  blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    return this.#blocks(start, signal, this.#settings)
  }

  /** As `blocks`, for a caller that buffers blocks ahead of use. Several calls may run concurrently. */
  readAhead(start: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    return this.#blocks(start, signal, { ...this.#settings, readsAhead: true })
  }

  /** Status of the first node that answers; each is tried once. @throws the error of the last one */
  async status(signal: AbortSignal): Promise<NodeStatus> {
    let failure: unknown
    for (const url of this.#nodes.order()) {
      if (signal.aborted) break
      try {
        return await this.#statusOf(url, signal)
      } catch (error) {
        failure = error
      }
    }
    throw failure ?? this.#broken('SHIP_CONNECTION', undefined, 'stopped')
  }

  /** See BlockSource. */
  async chainId(signal: AbortSignal): Promise<string | null> {
    return this.#chainId ?? (await this.status(signal)).chainId
  }

  /** See BlockSource. A configured id takes precedence. */
  expectChain(chainId: string): void {
    this.#chainId ??= chainId
  }

  /**
   * See BlockSource. Tries every node once. A node that sends an unreadable state is used last for a while.
   *
   * @throws UserError FRAME_TOO_LARGE when no node can send a state of an allowed size; DecodeError when all nodes have
   *   sent an unreadable state; else RetryableError
   */
  async firstState(from: number, fullState: number | undefined, signal: AbortSignal): Promise<StateFrame | null> {
    const { found, unanswered } = await this.#findStates(from, fullState, signal)
    if (found.length === 0) return null
    let retryable = unanswered
    let failure: HeadwaterError | null = null
    for (const { url, num } of found) {
      if (failure) this.stats.anomaly(failure.code, failure.message)
      try {
        return await this.#firstStateOf(url, signal)
      } catch (cause) {
        if (signal.aborted || !(cause instanceof HeadwaterError)) throw cause
        failure = atBlock(cause, this.#settings.chain, url, num)
        if (isUnreadable(cause) && this.#nodes.blame(url, num)) throw unreadable(failure)
        if (failure instanceof RetryableError) retryable = failure
      }
    }
    if (retryable && failure instanceof UserError) this.stats.anomaly(failure.code, failure.message)
    throw retryable ?? failure
  }

  /** See BlockSource. Tries every node once. */
  async stateBlock(from: number, fullState: number | undefined, signal: AbortSignal): Promise<number | null> {
    return (await this.#findStates(from, fullState, signal)).found[0]?.num ?? null
  }

  /**
   * The nodes that start with a usable state, best first: nodes without a recent fault, and of these the nodes with the
   * state of block `from`. `unanswered`: error of a node whose status is unknown.
   */
  async #findStates(
    from: number,
    fullState: number | undefined,
    signal: AbortSignal,
  ): Promise<{ found: { url: string; num: number }[]; unanswered: RetryableError | null }> {
    const { chain } = this.#settings
    const found: { url: string; num: number }[] = []
    let isFine = false
    let unanswered: RetryableError | null = null
    let refusal: UserError | null = null
    for (const url of this.#nodes.order()) {
      try {
        const status = await this.#statusOf(url, signal)
        const num = usableState(status, from, fullState)
        if (num !== null) found.push({ url, num })
        else if (keepsBlock(status, from) && fullState === undefined) return { found: [], unanswered }
        else {
          requireFullState(chain, url, status.deltas.begin, fullState)
          isFine = true
        }
      } catch (error) {
        if (error instanceof UserError) refusal = error
        if (error instanceof RetryableError) unanswered = error
      }
    }
    // A node that did not answer may have the block: `blocks` will find out. A configuration error is thrown.
    if (found.length === 0 && !isFine && !unanswered && refusal) throw refusal
    const isWanted = ({ num }: { num: number }) => num === from
    // A range of a backfill needs the state of this very block.
    if (fullState !== undefined && found.some(isWanted)) return { found: found.filter(isWanted), unanswered }
    const rank = (node: { url: string; num: number }) =>
      (this.#nodes.rests(node.url) ? 2 : 0) + (isWanted(node) ? 0 : 1)
    return { found: found.sort((a, b) => rank(a) - rank(b)), unanswered }
  }

  async #firstStateOf(url: string, signal: AbortSignal): Promise<StateFrame> {
    const { chain } = this.#settings
    const connection = await ShipConnection.open(url, this.#settings, this.stats, signal)
    try {
      return await readFirstState(connection, chain, await connection.status())
    } finally {
      connection.close()
    }
  }

  async #statusOf(url: string, signal: AbortSignal): Promise<NodeStatus> {
    const connection = await ShipConnection.open(url, this.#settings, this.stats, signal)
    try {
      const status = await connection.status()
      this.#checkChain(url, status)
      return status
    } finally {
      connection.close()
    }
  }

  /** See BlockSource. */
  blame({ num, node }: Pick<BlockFrame, 'num' | 'node'>): boolean {
    return this.#nodes.blame(node ?? '', num)
  }

  async *#blocks(start: StartPosition, signal: AbortSignal, settings: ShipSettings): AsyncGenerator<PackedBlock> {
    const { urls, backoffMs } = settings
    const linkage = new Linkage(start)
    const backoff = new Backoff(backoffMs[0], backoffMs[1], urls.length)
    const refusals = new Map<string, UserError>()
    const last = start.to ?? LIVE - 1
    let turns: string[] = []
    for (let attempt = 0; linkage.next <= last && !signal.aborted; attempt++) {
      if (turns.length === 0) turns = this.#nodes.order()
      const url = turns.shift() as string
      if (attempt > 0) this.stats.reconnects++
      try {
        for await (const block of this.#session(url, settings, linkage, last, signal)) {
          this.#nodes.succeeded(url)
          backoff.succeeded()
          refusals.clear()
          yield block
          if (block.num >= last || signal.aborted) return
        }
      } catch (cause) {
        if (signal.aborted) return
        if (!(cause instanceof HeadwaterError)) throw cause
        const error = atBlock(cause, this.#settings.chain, url, linkage.next)
        if (error instanceof UserError) refusals.set(url, error)
        if (refusals.size === urls.length) throw error
        if (isUnreadable(cause) && this.#nodes.blame(url, linkage.next)) throw unreadable(error)
        this.stats.anomaly(error.code, error.message)
        await backoff.pause(signal)
      }
    }
  }

  async *#session(
    url: string,
    settings: ShipSettings,
    linkage: Linkage,
    last: number,
    signal: AbortSignal,
  ): AsyncGenerator<PackedBlock> {
    const connection = await ShipConnection.open(url, settings, this.stats, signal)
    try {
      this.abi = connection.abi
      const status = await connection.status()
      this.#checkChain(url, status)
      this.#checkRange(url, status, linkage)
      const deltas = this.#checkDeltas(url, status)
      connection.request({ start: linkage.next, end: last + 1, have: linkage.positions(), deltas })
      for (;;) {
        const frame = await connection.next(linkage)
        const block = this.#accept(frame, url, linkage, deltas)
        if (block) yield Object.assign(block, { node: url })
      }
    } finally {
      connection.close()
    }
  }

  /** The block of a frame, or null when it is already held. */
  #accept(frame: Uint8Array, url: string, linkage: Linkage, deltas: boolean): PackedBlock | null {
    const block = this.#unpack(frame, url, linkage.next, deltas)
    const expected = linkage.next
    const verdict = block ? linkage.accept(block) : 'gap'
    switch (verdict) {
      case 'next':
      case 'fork':
        return block
      case 'repeat':
        this.stats.anomaly('SHIP_REPEAT', `${this.#settings.chain}: ${url} sent block ${block?.num} again`)
        return null
      case 'gap':
        throw this.#broken(
          'SHIP_GAP',
          expected,
          `${url} does not send block ${expected}, but ${block?.num ?? 'an empty result'}`,
          {
            hint: 'the node may have pruned this range: compare trace_begin_block in `headwater check`',
          },
        )
      case 'unlinked':
        throw this.#broken(
          'SHIP_UNLINKED',
          block?.num,
          `${url} sent block ${block?.num}, whose parent is not the block before it`,
        )
      case 'irreversible':
        throw this.#broken('SHIP_IRREVERSIBLE', block?.num, `${url} contradicts irreversible blocks at ${block?.num}`, {
          hint: 'the node is on another branch, or the chain was restored from an older state',
        })
    }
  }

  #unpack(frame: Uint8Array, url: string, expected: number, deltas: boolean): PackedBlock | null {
    try {
      const message = unpackMessage(frame)
      return message.kind === 'blocks' ? toPackedBlock(message.result, deltas) : null
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      throw this.#broken(
        'SHIP_FRAME',
        expected,
        `${url} sent a frame that cannot be read where block ${expected} was due: ${error.message}`,
        {
          cause: error,
        },
      )
    }
  }

  #checkChain(url: string, status: NodeStatus): void {
    const { chain } = this.#settings
    if (status.chainId === null) {
      this.stats.anomaly('SHIP_NO_CHAIN_ID', `${chain}: ${url} does not report its chain id, it cannot be checked`)
      return
    }
    this.#chainId ??= status.chainId
    if (this.#chainId === status.chainId) return
    throw new UserError('OTHER_CHAIN', `${url} serves chain ${status.chainId}, ${chain} is ${this.#chainId}`, {
      hint: `correct the address or the chain id of ${chain}`,
      place: { chain },
    })
  }

  #checkRange(url: string, status: NodeStatus, linkage: Linkage): void {
    const { chain } = this.#settings
    const { head, traces, deltas } = status
    const from = linkage.next
    if (head.num < (linkage.positions()[0]?.num ?? 0)) {
      throw this.#broken('SHIP_BEHIND', from, `the head of ${url} is ${head.num}, block ${from} is wanted`)
    }
    const begin = Math.max(traces.begin, deltas.begin)
    if (from >= begin && (traces.end > 0 || head.num < from)) return
    const range = traces.end === 0 ? 'no traces' : `blocks ${begin} to ${traces.end - 1}`
    const isEmpty = linkage.positions().length === 0
    const later =
      isEmpty && traces.end > 0 ? `set source.startBlock of ${chain} to ${begin} or later` : HINT_EMPTY_DATABASE
    throw new UserError('BLOCKS_NOT_KEPT', `${chain}: ${url} has ${range}, block ${from} is wanted`, {
      hint: `add a node that has block ${from}, with trace-history on, or ${later}`,
      place: { chain, block: from },
    })
  }

  #checkDeltas(url: string, status: NodeStatus): boolean {
    const kept = status.deltas.end > 0
    this.#deltas ??= kept
    if (kept || !this.#deltas) return this.#deltas
    const { chain } = this.#settings
    throw new UserError('DELTAS_NOT_KEPT', `${chain}: ${url} has no table deltas, the node before it has them`, {
      hint: 'switch chain-state-history on, or remove this node',
      place: { chain },
    })
  }

  #broken(
    code: string,
    block: number | undefined,
    what: string,
    options: { hint?: string; cause?: unknown } = {},
  ): RetryableError {
    const { chain } = this.#settings
    return new RetryableError(code, `${chain}: ${what}`, { ...options, place: { chain, block } })
  }
}
