// Collects actions and rows, which several requests send in no common order, into blocks by number. A block is complete
// when every request has sent data after it, or has ended its history and the head is well above the block.
import type { ActionContent, DeltaContent, IncomingData } from '@eosrio/hyperion-stream-client'
import type { UnpackedAction, UnpackedRow } from '../source.ts'
import { actionsOf, factsOf, rowOf } from './content.ts'

/** The data of one block. */
export interface Collected {
  id: string | null
  time: number | null
  producer: string | null
  actions: UnpackedAction[]
  rows: UnpackedRow[]
}

interface Building {
  id: string | null
  time: number | null
  producer: string | null
  actions: Map<string, UnpackedAction>
  rows: Map<string, UnpackedRow>
}

/** Progress of one request's history. */
interface Progress {
  /** Newest block received in the history; lower blocks are complete. */
  mark: number
  /** Poll at which history data was last received. */
  heardAt: number
}

export class Assembler {
  readonly #blocks = new Map<number, Building>()
  readonly #requests = new Map<string, Progress>()
  readonly #marginBlocks: number
  readonly #settleLooks: number
  readonly #maxSize: number
  #size = 0
  #limit = Number.POSITIVE_INFINITY

  /**
   * @param marginBlocks  distance from the head at which live data are complete, in blocks
   * @param settleLooks   polls without a message after which a history is complete. Polls, not time: messages that were
   *                      received while the process was suspended are read before the next poll
   * @param maxSize       limit of buffered actions and rows
   */
  constructor(marginBlocks: number, settleLooks: number, maxSize: number) {
    this.#marginBlocks = marginBlocks
    this.#settleLooks = settleLooks
    this.#maxSize = maxSize
  }

  /** First block whose data were dropped over the size limit: requests must be repeated from here. */
  get limit(): number {
    return this.#limit
  }

  /** Drops everything; expects the history of `requests` from the start. */
  restart(requests: readonly { type: IncomingData['type']; contract: string }[], look: number): void {
    this.drop(0)
    this.#limit = Number.POSITIVE_INFINITY
    this.#requests.clear()
    for (const { type, contract } of requests) this.#requests.set(`${type} ${contract}`, { mark: 0, heardAt: look })
  }

  /** Adds a message received after a poll; returns its block number. */
  add(message: IncomingData, look: number): number {
    const { content, type, mode } = message
    const facts = factsOf(content)
    if (mode === 'history') this.#heard(type, content, facts.num, look)
    if (facts.num >= this.#limit) return facts.num
    const block = this.#building(facts.num, facts.id)
    block.time ??= facts.time
    block.producer ??= facts.producer
    const before = block.actions.size + block.rows.size
    if (type === 'action') {
      for (const action of actionsOf(content as ActionContent)) {
        block.actions.set(`${action.globalSeq} ${action.receiver}`, action)
      }
    } else {
      const row = rowOf(content as DeltaContent)
      block.rows.set(JSON.stringify([row.code, row.scope, row.table, row.primaryKey]), row)
    }
    this.#size += block.actions.size + block.rows.size - before
    if (this.#size > this.#maxSize) this.#shed()
    return facts.num
  }

  /** Whether all data of block `num` have arrived, as far as can be known. */
  isComplete(num: number, head: number, look: number): boolean {
    for (const { mark, heardAt } of this.#requests.values()) {
      if (mark > num) continue
      if (look - heardAt < this.#settleLooks || num > head - this.#marginBlocks) return false
    }
    return num <= head && num < this.#limit
  }

  /** Takes the data of a block; empty when there are none. */
  take(num: number): Collected {
    const block = this.#blocks.get(num)
    this.#forget(num)
    const actions = [...(block?.actions.values() ?? [])]
    actions.sort((a, b) => (a.globalSeq < b.globalSeq ? -1 : a.globalSeq > b.globalSeq ? 1 : 0))
    const rows = [...(block?.rows.values() ?? [])]
    return { id: block?.id ?? null, time: block?.time ?? null, producer: block?.producer ?? null, actions, rows }
  }

  /** Drops the data of blocks from `num` on. */
  drop(num: number): void {
    for (const held of [...this.#blocks.keys()]) if (held >= num) this.#forget(held)
  }

  /** Drops the highest blocks until half of the size limit is free. Never drops the lowest block. */
  #shed(): void {
    const nums = [...this.#blocks.keys()].sort((a, b) => a - b)
    while (nums.length > 1 && this.#size > this.#maxSize / 2) {
      this.#limit = nums.pop() as number
      this.#forget(this.#limit)
    }
  }

  /** The block being built. Data with another id at the same number replace it: it was on an orphaned branch. */
  #building(num: number, id: string | null): Building {
    const held = this.#blocks.get(num)
    if (held && (held.id === null || id === null || held.id === id)) {
      held.id ??= id
      return held
    }
    this.#forget(num)
    const block: Building = { id, time: null, producer: null, actions: new Map(), rows: new Map() }
    this.#blocks.set(num, block)
    return block
  }

  #forget(num: number): void {
    const block = this.#blocks.get(num)
    if (!block) return
    this.#size -= block.actions.size + block.rows.size
    this.#blocks.delete(num)
  }

  #heard(type: IncomingData['type'], content: ActionContent | DeltaContent, num: number, look: number): void {
    const contract = type === 'action' ? (content as ActionContent).act.account : (content as DeltaContent).code
    const progress = this.#requests.get(`${type} ${contract}`)
    if (!progress) return
    progress.mark = Math.max(progress.mark, num)
    progress.heardAt = look
  }
}
