// State of one run of a Hyperion source across connections: received data, yielded blocks, next block.
import type { ForkData } from '@eosrio/hyperion-stream-client'
import { RetryableError, UserError } from '../../../core/errors.ts'
import type { BlockPosition, StartPosition, UnpackedBlock } from '../source.ts'
import type { SourceStats } from '../stats.ts'
import { Assembler } from './assembler.ts'
import { Branch } from './branch.ts'
import type { HyperionSettings } from './options.ts'
import type { HyperionListener, NodeInfo } from './session.ts'

const BLOCK_MS = 500

export class Run implements HyperionListener {
  /** Number of the next block to yield. */
  next: number
  readonly #settings: HyperionSettings
  readonly #stats: SourceStats
  readonly #assembler: Assembler
  readonly #branch: Branch
  #head: BlockPosition = { num: 0, id: '' }
  #headTime = 0
  #lib: BlockPosition = { num: 0, id: '' }
  #lastTime: number | undefined
  /** The last block that was yielded or confirmed while irreversible. */
  #settled: number
  #failure: Error | undefined
  /** Number of polls of the head, over all connections. */
  #looks = 0

  constructor(settings: HyperionSettings, start: StartPosition, stats: SourceStats) {
    this.next = start.from
    this.#settled = start.lib ?? start.have[0]?.num ?? start.from - 1
    this.#settings = settings
    this.#stats = stats
    this.#assembler = new Assembler(
      settings.marginBlocks,
      Math.ceil(settings.settleMs / settings.pollMs),
      settings.maxQueued,
    )
    this.#branch = new Branch(start.have)
  }

  /**
   * Prepares for a new connection. Forks are sent only live, so all reversible blocks are requested again; changed ones
   * are yielded as a fork. When `continues`, the next block is `next`, and no block is repeated.
   */
  restart(continues: boolean): void {
    const { actions, tables } = this.#settings
    const reversible = this.#branch.firstFrom(this.#settled + 1)
    if (!continues && reversible !== undefined && reversible < this.next) this.#goBack(reversible)
    this.#failure = undefined
    this.#assembler.restart(
      [
        ...actions.map((contract) => ({ type: 'action' as const, contract })),
        ...tables.map((contract) => ({ type: 'delta' as const, contract })),
      ],
      this.#looks,
    )
  }

  see(info: NodeInfo): void {
    this.#head = info.head
    this.#headTime = info.headTime
    this.irreversible(info.lib)
  }

  /** Called after each poll of the head: all earlier messages have been read. */
  look(info: NodeInfo): void {
    this.#looks++
    this.see(info)
  }

  irreversible(lib: BlockPosition): void {
    if (lib.num > this.#lib.num) this.#lib = lib
  }

  data(message: Parameters<Assembler['add']>[0]): void {
    this.#stats.frames++
    try {
      const num = this.#assembler.add(message, this.#looks)
      if (num < this.next) this.#late(num)
    } catch (error) {
      this.#failure ??= error as Error
    }
  }

  fork({ starting_block: num, new_id: salt }: ForkData): void {
    if (num <= this.#yieldedLib()) {
      this.#failure ??= this.#error('HYPERION_IRREVERSIBLE', num, `a fork at ${num} replaces irreversible blocks`)
      return
    }
    this.#assembler.drop(num)
    if (num >= this.next) return
    this.#goBack(num)
    this.#branch.fork(num, salt)
  }

  /** The next block, when complete. Skips held blocks that did not change. */
  take(): UnpackedBlock | null {
    while (!this.#failure && this.#assembler.isComplete(this.next, this.#head.num, this.#looks)) {
      const block = this.#takeNext()
      if (block) return block
    }
    return null
  }

  #takeNext(): UnpackedBlock | null {
    const num = this.next
    const collected = this.#assembler.take(num)
    const { time, producer, actions, rows } = collected
    const prevId = this.#branch.parentOf(num)
    const { id, isHeld } = this.#branch.add(num, collected)
    this.#lastTime = time ?? (this.#lastTime ?? this.#headTime - (this.#head.num - num + 1) * BLOCK_MS) + BLOCK_MS
    this.next = num + 1
    this.#settled = Math.max(this.#settled, Math.min(this.#lib.num, num))
    this.#branch.prune(this.#settled - 1)
    if (isHeld) return null
    const lib = { num: this.#lib.num, id: this.#branch.idAt(this.#lib.num) ?? this.#lib.id }
    const block = {
      num,
      id,
      prevId,
      head: this.#head,
      lib,
      time: this.#lastTime,
      producer: producer ?? '',
      actions,
      rows,
    }
    return { kind: 'unpacked', ...block }
  }

  /** Whether data from the next block on were dropped and must be requested again. */
  get exhausted(): boolean {
    return this.next >= this.#assembler.limit
  }

  /** @throws the first error since the last call */
  check(): void {
    if (this.#failure) throw this.#failure
  }

  /** Handles late data: yields their block again as a fork, unless it is irreversible. */
  #late(num: number): void {
    const message = `data of block ${num} came after it was taken to be complete`
    if (num <= this.#yieldedLib()) {
      this.#failure ??= new UserError('HYPERION_LATE', `${this.#settings.chain}: ${message}, and it is irreversible`, {
        hint: 'raise marginBlocks and settleMs, and index again from this block',
        place: { chain: this.#settings.chain, block: num },
      })
      return
    }
    this.#goBack(num)
    this.#branch.fork(num, `late ${Date.now()}`)
    this.#failure ??= this.#error('HYPERION_LATE', num, message)
  }

  #goBack(num: number): void {
    this.next = num
    this.#lastTime = undefined
  }

  #yieldedLib(): number {
    return Math.min(this.#lib.num, this.next - 1)
  }

  #error(code: string, block: number, what: string): RetryableError {
    const { chain } = this.#settings
    return new RetryableError(code, `${chain}: ${what}`, { place: { chain, block } })
  }
}
