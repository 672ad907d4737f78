// Repeats a recording as one long chain, for benchmarks and soak tests. Every pass changes block numbers, ids, links,
// times, transaction ids and global sequences, and recomputes action roots, so that the blocks pass all checks.
// Everything else (rows, actions, other finality data) repeats, so proofs of a looped chain do not verify. The
// recording is kept in memory; table deltas are shared by all passes.
import { setImmediate as turn } from 'node:timers/promises'
import { blockId, readBlockHeader, SAVANNA_SCHEDULE_VERSION } from '../../core/antelope/block.ts'
import { readU32, readU64, writeU32, writeU64 } from '../../core/antelope/raw.ts'
import { BugError, UserError } from '../../core/errors.ts'
import { fromHex } from '../../core/hex.ts'
import {
  ACTION_ROOT_AT,
  ActionLeaves,
  type ActionPlaces,
  FINALITY_ROOT_AT,
  SCHEDULE_VERSION_AT,
} from '../decode/action-leaf.ts'
import { walkTraces } from '../decode/traces.ts'
import { Watch } from '../decode/watch.ts'
import { PREVIOUS_AT } from './packed-block.ts'
import { ReplaySource } from './replay.ts'
import type { BlockPosition, BlockSource, PackedBlock, StartPosition } from './source.ts'
import { type TraceOffsets, traceOffsets } from './trace-offsets.ts'

/** A recorded block, with the offsets of values that change in each pass. */
interface Template {
  block: PackedBlock
  headerLength: number
  offsets: TraceOffsets
  isSavanna: boolean
  /** Actions in the action root. */
  actions: ActionPlaces[]
  /** Action roots of the passes after the first; computed by `prepare`. */
  roots: Uint8Array[]
}

/** Increments of numbers, slots and sequences in each pass. */
interface Stride {
  blocks: number
  slots: number
  sequences: bigint
}

interface Recording {
  /** The first block. */
  first: PackedBlock
  templates: Template[]
  stride: Stride
}

/** A recording repeated a number of times, as one chain. */
export class LoopSource implements BlockSource {
  readonly name = 'loop'
  /** The ABI text of the recording, once the first block has been yielded. */
  abi: string | undefined
  readonly #path: string
  readonly #passes: number
  #recording: Promise<Recording> | undefined

  /**
   * @param path    a recording without forks
   * @param passes  number of repetitions, at least 1
   */
  constructor(path: string, passes: number) {
    this.#path = path
    this.#passes = passes
  }

  /**
   * See BlockSource. All blocks are irreversible; the head is the last block of the last pass. Before the first block,
   * runs `prepare` if it has not run yet, and computes the ids of all blocks: a few microseconds each.
   *
   * @throws UserError LOOP_FORKS when the recording has forks, RECORDING_* when it is damaged or does not match the
   *   held blocks
   */
  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    const recording = await this.#prepared()
    const { first, templates, stride } = recording
    const from = start.have.length === 0 ? Math.max(start.from, first.num) : start.from
    const head = await this.#walk(recording, start, signal)
    let prevId = first.prevId
    for (let pass = 0; pass < this.#passes; pass++) {
      for (const template of templates) {
        if (signal.aborted) return
        const num = template.block.num + pass * stride.blocks
        if (start.to !== undefined && num > start.to) return
        const packed = patchedBlock(template, pass, stride, prevId)
        const id = idOf(template, packed, num)
        if (num >= from) {
          yield {
            kind: 'packed',
            num,
            id,
            prevId,
            head,
            lib: head,
            block: packed,
            traces: patchedTraces(template, pass, stride),
            deltas: template.block.deltas,
            finality: patchedFinality(template, pass),
          }
        }
        prevId = id
      }
    }
  }

  /** Reads the recording and computes the action roots of all passes: some microseconds for each action and pass. */
  async prepare(): Promise<void> {
    await this.#prepared()
  }

  async #prepared(): Promise<Recording> {
    this.#recording ??= this.#load()
    const recording = await this.#recording
    const { templates, stride } = recording
    for (const template of templates) {
      for (let pass = template.roots.length + 1; pass < this.#passes; pass++)
        template.roots.push(actionRoot(template, patchedTraces(template, pass, stride)))
      await turn()
    }
    return recording
  }

  /** Number of the last block of pass `passes`, counted from 1. */
  async lastBlockOf(passes: number): Promise<number> {
    await this.prepare()
    const { first, stride } = await (this.#recording as Promise<Recording>)
    return first.num + passes * stride.blocks - 1
  }

  /** Position of the last block. Also checks that the newest held block is part of the loop. */
  async #walk(recording: Recording, start: StartPosition, signal: AbortSignal): Promise<BlockPosition> {
    const { first, templates, stride } = recording
    const held = start.have.at(-1)
    let position = { num: first.num - 1, id: first.prevId }
    let known = held === undefined || held.id === position.id
    for (let pass = 0; pass < this.#passes && !signal.aborted; pass++) {
      for (const template of templates) {
        const num = template.block.num + pass * stride.blocks
        position = { num, id: idOf(template, patchedHeader(template, pass, stride, position.id), num) }
        if (held?.id === position.id) known = true
      }
      await turn()
    }
    if (!known && !signal.aborted) {
      const message = `indexed block ${held?.num} is not part of ${this.#path} repeated ${this.#passes} times`
      throw new UserError('RECORDING_UNRELATED', message, { hint: 'index it into an empty database' })
    }
    return position
  }

  async #load(): Promise<Recording> {
    const replay = new ReplaySource(this.#path)
    const templates: Template[] = []
    let lowest = 2n ** 64n
    let highest = 0n
    for await (const block of replay.blocks({ from: 0, have: [] }, new AbortController().signal)) {
      const template = prepare(block)
      const previous = templates.at(-1)
      if (previous && block.num !== previous.block.num + 1) {
        throw new UserError('LOOP_FORKS', `${this.#path} has a fork at block ${block.num}: it cannot be repeated`)
      }
      for (const at of template.offsets.sequences) {
        const sequence = readU64(block.traces, at)
        if (sequence < lowest) lowest = sequence
        if (sequence > highest) highest = sequence
      }
      templates.push(template)
    }
    const [first] = templates
    const last = templates.at(-1)
    if (!first || !last) throw new UserError('NOTHING_RECORDED', `${this.#path} contains no block`)
    this.abi = replay.abi
    const slots = readU32(last.block.block, 0) - readU32(first.block.block, 0) + 1
    const sequences = highest < lowest ? 0n : highest - lowest + 1n
    return { first: first.block, templates, stride: { blocks: templates.length, slots, sequences } }
  }
}

/** Finds the offsets to patch, and checks that ids can be recomputed. */
function prepare(block: PackedBlock): Template {
  const template: Template = {
    block,
    headerLength: readBlockHeader(block.block).length,
    offsets: traceOffsets(block.traces),
    isSavanna: readU32(block.block, SCHEDULE_VERSION_AT) === SAVANNA_SCHEDULE_VERSION,
    actions: [],
    roots: [],
  }
  walkTraces(block.traces, new Watch({}), () => {}, {
    add: (action) => template.actions.push(action),
  })
  if (idOf(template, block.block, block.num) !== block.id) {
    throw new BugError('LOOP_ID', `the id of recorded block ${block.num} is not the hash of its header`)
  }
  return template
}

function idOf(template: Template, block: Uint8Array, num: number): string {
  return blockId(block.subarray(0, template.headerLength), num)
}

function patchedHeader(template: Template, pass: number, stride: Stride, prevId: string): Uint8Array {
  const source = template.block.block
  return pass === 0
    ? source
    : patchHeader(Buffer.from(source.subarray(0, template.headerLength)), template, pass, stride, prevId)
}

function patchedBlock(template: Template, pass: number, stride: Stride, prevId: string): Uint8Array {
  const source = template.block.block
  return pass === 0 ? source : patchHeader(Buffer.from(source), template, pass, stride, prevId)
}

function patchHeader(header: Uint8Array, template: Template, pass: number, stride: Stride, prevId: string): Uint8Array {
  writeU32(header, 0, readU32(header, 0) + pass * stride.slots)
  header.set(fromHex(prevId), PREVIOUS_AT)
  if (!template.isSavanna) header.set(template.roots[pass - 1] as Uint8Array, ACTION_ROOT_AT)
  return header
}

/** Finality data of a pass: under Savanna they contain the action root. */
function patchedFinality({ block, isSavanna, roots }: Template, pass: number): Uint8Array | null {
  if (pass === 0 || !isSavanna || block.finality === null) return block.finality
  const finality = Buffer.from(block.finality)
  finality.set(roots[pass - 1] as Uint8Array, FINALITY_ROOT_AT)
  return finality
}

function actionRoot({ actions, isSavanna }: Template, traces: Uint8Array): Uint8Array {
  const leaves = new ActionLeaves(traces, isSavanna)
  for (const action of actions) leaves.add(action)
  return leaves.root()
}

/** The traces of a pass. The pass is mixed into the first four bytes of each transaction id. */
function patchedTraces({ block, offsets }: Template, pass: number, stride: Stride): Uint8Array {
  if (pass === 0) return block.traces
  const traces = Buffer.from(block.traces)
  for (const at of offsets.ids) writeU32(traces, at, (readU32(traces, at) ^ pass) >>> 0)
  const shift = BigInt(pass) * stride.sequences
  for (const at of offsets.sequences) writeU64(traces, at, readU64(traces, at) + shift)
  return traces
}
