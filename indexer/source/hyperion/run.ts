// One run of a Hyperion source over all its connections: what has come, what has been yielded, what is next.
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
  /** The last block yielded, or found to be as it was held, that was irreversible by then. */
  #settled: number
  #failure: Error | undefined
  /** How often the head was looked at on a connection. */
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
   * Prepares for a new connection. Forks are told live only, so all that is held above the last irreversible block is
   * asked for again: what has changed is yielded as a fork. When `goesOn`, the blocks go on at `next` as they are.
   */
  restart(goesOn: boolean): void {
    const { actions, tables } = this.#settings
    const reversible = this.#branch.firstFrom(this.#settled + 1)
    if (!goesOn && reversible !== undefined && reversible < this.next) this.#goBack(reversible)
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

  /** The head is looked at again: all that had come before has been read. */
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

  /** The next block when it is complete. Blocks that are held and have not changed are passed over. */
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

  /** Whether the blocks from here on must be asked for again, since there was no room for them. */
  get exhausted(): boolean {
    return this.next >= this.#assembler.limit
  }

  /** @throws what went wrong since the last call */
  check(): void {
    if (this.#failure) throw this.#failure
  }

  /** Data of a block that has been yielded: the block is yielded again, as a fork, unless it is irreversible. */
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
