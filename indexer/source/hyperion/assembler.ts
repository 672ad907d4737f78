// Collects actions and rows, which come from several requests in no common order, into blocks by number, and decides
// when a block is complete: every request is past it, or has told its history and the head is well past it.
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

/** How far the history of one request has come. */
interface Progress {
  /** Number of the newest block heard of in history; the blocks below it are complete. */
  mark: number
  /** The look at which it was heard last. */
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
   * @param marginBlocks  blocks behind the head at which live data are complete
   * @param settleLooks   looks without a message after which a history is complete. Looks, not time: what has come while
   *                      the process stood still is read before the next look
   * @param maxSize       actions and rows that may wait
   */
  constructor(marginBlocks: number, settleLooks: number, maxSize: number) {
    this.#marginBlocks = marginBlocks
    this.#settleLooks = settleLooks
    this.#maxSize = maxSize
  }

  /** First block whose data were dropped for want of room: from here on, the requests must be made again. */
  get limit(): number {
    return this.#limit
  }

  /** Forgets everything; `requests` are then expected to tell their history from the start. */
  restart(requests: readonly { type: IncomingData['type']; contract: string }[], look: number): void {
    this.drop(0)
    this.#limit = Number.POSITIVE_INFINITY
    this.#requests.clear()
    for (const { type, contract } of requests) this.#requests.set(`${type} ${contract}`, { mark: 0, heardAt: look })
  }

  /** Takes a message that has come since a look; returns the number of its block. */
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

  /** Whether nothing of block `num` is still to come, as far as that can be known. */
  isComplete(num: number, head: number, look: number): boolean {
    for (const { mark, heardAt } of this.#requests.values()) {
      if (mark > num) continue
      if (look - heardAt < this.#settleLooks || num > head - this.#marginBlocks) return false
    }
    return num <= head && num < this.#limit
  }

  /** Hands out the data of a block, empty when there are none. */
  take(num: number): Collected {
    const block = this.#blocks.get(num)
    this.#forget(num)
    const actions = [...(block?.actions.values() ?? [])]
    actions.sort((a, b) => (a.globalSeq < b.globalSeq ? -1 : a.globalSeq > b.globalSeq ? 1 : 0))
    const rows = [...(block?.rows.values() ?? [])]
    return { id: block?.id ?? null, time: block?.time ?? null, producer: block?.producer ?? null, actions, rows }
  }

  /** Drops what belongs to blocks from `num` on. */
  drop(num: number): void {
    for (const held of [...this.#blocks.keys()]) if (held >= num) this.#forget(held)
  }

  /** Drops the highest blocks until half of the room is free; the lowest block always stays. */
  #shed(): void {
    const nums = [...this.#blocks.keys()].sort((a, b) => a - b)
    while (nums.length > 1 && this.#size > this.#maxSize / 2) {
      this.#limit = nums.pop() as number
      this.#forget(this.#limit)
    }
  }

  /** The block that is being built; data of another id at the same number are of a branch that lost. */
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
