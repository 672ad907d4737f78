// A recording as a source, at full speed or at the pace of its block times. Resumes after any block, also between the
// recording's forks, and checks linkage like a live source.
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../../core/errors.ts'
import { Linkage } from './linkage.ts'
import { packedBlockTime, toPackedBlock } from './packed-block.ts'
import { corrupt, type RecordedMessage, readRecording } from './recording.ts'
import { requireFullState } from './ship/first-state.ts'
import { type BlocksResult, unpackMessage } from './ship/protocol.ts'
import type { BlockPosition, BlockSource, PackedBlock, StartPosition, StateFrame } from './source.ts'
import { type AnomalyListener, SourceStats } from './stats.ts'

export interface ReplayOptions {
  /** Whether to yield blocks at the pace of their times; default: full speed. */
  realTime?: boolean
  onAnomaly?: AnomalyListener
}

export class ReplaySource implements BlockSource {
  readonly name = 'replay'
  readonly stats: SourceStats
  /** The ABI text of the recording, once the first block has been yielded. */
  abi: string | undefined
  readonly #path: string
  readonly #realTime: boolean

  constructor(path: string, options: ReplayOptions = {}) {
    this.#path = path
    this.#realTime = options.realTime ?? false
    this.stats = new SourceStats(options.onAnomaly)
  }

  /**
   * See BlockSource. Without held blocks, a start at or below the first block means the first block. With held blocks,
   * continues after the last frame of the newest held block that the recording has.
   *
   * @throws UserError RECORDING_* for a damaged file, RECORDING_UNRELATED when it does not continue the held blocks
   */
  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    if (start.to !== undefined && start.from > start.to) return
    const resume = await this.#resumePoint(start)
    const linkage = new Linkage({ ...start, from: resume.from })
    const pace = this.#realTime ? new Pace() : null
    let index = 0
    for await (const message of this.#blockMessages((abi) => this.#keepAbi(abi))) {
      if (signal.aborted) return
      if (index++ < resume.skip) continue
      this.stats.frames++
      this.stats.bytes += message.bytes.length
      const block = this.#accept(message, linkage)
      if (!block) continue
      if (pace) await this.stats.waiting(pace.until(packedBlockTime(block), signal))
      if (signal.aborted) return
      yield block
      if (start.to !== undefined && block.num >= start.to) return
    }
  }

  /** See BlockSource. The recording of a node that was started from a snapshot begins with the state of its block. */
  async firstState(from: number, fullState: number | undefined): Promise<StateFrame | null> {
    for await (const message of readRecording(this.#path)) {
      const state = this.#stateOf(message)
      if (state === null || from > state.num + 1) return null
      requireFullState('replay', this.#path, state.num, fullState)
      return state
    }
    return null
  }

  #keepAbi(abi: string): void {
    this.abi = abi
  }

  #accept(message: RecordedMessage, linkage: Linkage): PackedBlock | null {
    const block = this.#unpack(message)
    const expected = linkage.next
    const verdict = linkage.accept(block)
    if (verdict === 'next' || verdict === 'fork') return block
    if (verdict !== 'repeat') {
      throw corrupt(
        this.#path,
        message.offset,
        `block ${block.num} does not continue the chain at ${expected} (${verdict})`,
      )
    }
    this.stats.anomaly('SHIP_REPEAT', `${this.#path}: block ${block.num} comes again`)
    return null
  }

  #unpack(message: RecordedMessage): PackedBlock {
    const result = this.#resultOf(message)
    const block = result && toPackedBlock(result, false)
    if (!block) throw corrupt(this.#path, message.offset, 'a message without a block')
    return block
  }

  #resultOf({ bytes, offset }: RecordedMessage): BlocksResult | null {
    try {
      const message = unpackMessage(bytes)
      return message.kind === 'blocks' ? message.result : null
    } catch (error) {
      throw corrupt(this.#path, offset, (error as Error).message, error)
    }
  }

  /** Messages with a block: those after the state with which the recording may begin. */
  async *#blockMessages(onAbi?: (abi: string) => void): AsyncGenerator<RecordedMessage> {
    let isFirst = true
    for await (const message of readRecording(this.#path, onAbi)) {
      if (!isFirst || this.#stateOf(message) === null) yield message
      isFirst = false
    }
  }

  #stateOf(message: RecordedMessage): StateFrame | null {
    const { position, block, traces, head, lib, deltas } = this.#resultOf(message) ?? {}
    if (!position || !deltas || !head || !lib || block || traces) return null
    return { ...position, head, lib, deltas, node: this.#path }
  }

  /** Number of frames to skip, and the number of the next block. */
  async #resumePoint(start: StartPosition): Promise<{ skip: number; from: number }> {
    const held = new Map(start.have.map((position: BlockPosition, rank) => [position.id, rank]))
    let best = -1
    let skip = 0
    let first: number | undefined
    let index = 0
    for await (const message of this.#blockMessages()) {
      const block = this.#unpack(message)
      if (first === undefined) {
        first = block.num
        best = held.get(block.prevId) ?? -1
        if (start.have.length === 0 && start.from <= first) return { skip: 0, from: first }
      }
      index++
      const rank = held.get(block.id) ?? -1
      if (rank >= best && rank >= 0) {
        best = rank
        skip = index
      }
      if (start.have.length === 0 && block.num < start.from) skip = index
    }
    const [oldest] = start.have
    if (oldest !== undefined && best < 0) {
      const message = `${this.#path} holds none of the blocks ${oldest.num} to ${start.from - 1} that are indexed`
      throw new UserError('RECORDING_UNRELATED', message, { hint: 'replay it into an empty database' })
    }
    return { skip, from: start.from }
  }
}

/** Delays blocks to keep the intervals of their times. */
class Pace {
  #origin: number | undefined

  async until(time: number, signal: AbortSignal): Promise<void> {
    this.#origin ??= Date.now() - time
    const wait = this.#origin + time - Date.now()
    if (wait > 0) await delay(wait, undefined, { signal }).catch(() => {})
  }
}
