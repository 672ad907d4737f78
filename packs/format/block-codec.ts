// Slim blocks as the content of chunks, and back. A file of blocks begins with a chunk of JSON: where its finality
// continues from. All later chunks depend on the earlier ones.
import { UserError } from '../../core/errors.ts'
import { type Lineage, lineageAt } from '../../core/finality/track.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { ActionDecoder } from './action-decoder.ts'
import { ActionEncoder } from './action-encoder.ts'
import { ACTION_STREAMS, ActionContext } from './action-streams.ts'
import { HeaderContext } from './header-context.ts'
import { HeaderDecoder } from './header-decoder.ts'
import { HeaderEncoder } from './header-encoder.ts'
import { HEADER_STREAMS, type TrackedHeader } from './header-streams.ts'
import type { SlimBlock } from './slim-block.ts'
import { checkEnds, otherLayout, readStreams, Streams } from './streams.ts'

/** Bytes of a block are put together when they are asked for. */
export interface DecodedBlock extends TrackedHeader {
  readonly block: Uint8Array
  readonly finality: Uint8Array | null
  readonly traces: Uint8Array
}

/** Content of the first chunk. */
export function startContent(lineage: Lineage | null): Buffer {
  if (!lineage) return Buffer.from(JSON.stringify({ lineage: null }))
  const { genesis, blockNum, timestamp, tree, lastPending } = lineage
  const { digest, start } = lastPending
  return Buffer.from(
    JSON.stringify({
      lineage: { genesis, blockNum, slot: timestamp, peaks: tree.peaks.map(toHex), policy: toHex(digest), start },
    }),
  )
}

/** Lineage in the content of the first chunk. @throws DecodeError PACK_LAYOUT */
export function lineageOf(content: Buffer): Lineage | null {
  try {
    const { lineage } = JSON.parse(content.toString())
    if (lineage === null) return null
    const { genesis, blockNum, slot, peaks, policy, start } = lineage
    const numbers = [genesis, blockNum, slot, start]
    const hashes = [policy, ...peaks].map(fromHex)
    if (!numbers.every(Number.isSafeInteger) || hashes.some(({ length }) => length !== 32))
      throw new RangeError('a member')
    const [digest = new Uint8Array(), ...nodes] = hashes
    return lineageAt({ genesis, blockNum, timestamp: slot, peaks: nodes, lastPending: { digest, start } })
  } catch (error) {
    throw otherLayout(`its start cannot be read: ${(error as Error).message}`)
  }
}

export class BlockEncoder {
  readonly #streams = new Streams(HEADER_STREAMS + ACTION_STREAMS)
  readonly #headers: HeaderEncoder
  readonly #actions: ActionEncoder
  /** Reads what was written: the writer's own check. */
  readonly #decoder: BlockDecoder
  #blocks: SlimBlock[] = []

  /**
   * @param lineage  of the block before the first, or where finality begins later
   * @param ids      places of the ids of transactions (latin1) in the rows
   */
  constructor(lineage: Lineage | null, ids: ReadonlyMap<string, number>) {
    const { writers } = this.#streams
    this.#headers = new HeaderEncoder(new HeaderContext(lineage), writers.slice(0, HEADER_STREAMS))
    const actions = writers.slice(HEADER_STREAMS)
    this.#actions = new ActionEncoder(new ActionContext(), actions, (id) => ids.get(id))
    this.#decoder = new BlockDecoder(
      startContent(lineage),
      Array.from(ids.keys(), (id) => Buffer.from(id, 'latin1')),
    )
  }

  /** Bytes of the content so far. */
  get size(): number {
    return this.#streams.size
  }

  /** @throws DecodeError for a block that cannot be read */
  add(block: SlimBlock): TrackedHeader {
    this.#blocks.push({ ...block, traces: this.#actions.add(block.traces) })
    return this.#headers.add(block)
  }

  /** The content since the last call, checked. @throws DecodeError PACK_LAYOUT when a reader would get other blocks */
  take(): Buffer {
    const content = this.#streams.take()
    const blocks = this.#blocks
    this.#blocks = []
    let equal = 0
    for (const { block, finality, traces } of this.#decoder.read(content)) {
      const wanted = blocks[equal]
      if (!wanted || !isSame(block, wanted.block) || !isSame(finality, wanted.finality)) break
      if (!isSame(traces, wanted.traces)) break
      equal++
    }
    if (equal === blocks.length) return content
    throw otherLayout(`block ${equal + 1} of ${blocks.length} would be read with other bytes`)
  }
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0
}

export class BlockDecoder {
  readonly #headers: HeaderDecoder
  readonly #actions: ActionDecoder | null

  /**
   * @param start  content of the first chunk
   * @param ids    ids of the transactions that rows have; null when they are not known; `none`: blocks come without
   *   their actions
   * @throws DecodeError PACK_LAYOUT
   */
  constructor(start: Buffer, ids: readonly Uint8Array[] | null | 'none') {
    this.#headers = new HeaderDecoder(new HeaderContext(lineageOf(start)))
    this.#actions = ids === 'none' ? null : new ActionDecoder(ids)
  }

  /** Blocks of the next chunk. @throws DecodeError */
  *read(content: Uint8Array): Generator<DecodedBlock> {
    const streams = readStreams(content, HEADER_STREAMS + ACTION_STREAMS)
    this.#headers.open(streams.slice(0, HEADER_STREAMS))
    this.#actions?.open(streams.slice(HEADER_STREAMS))
    while (this.#headers.hasMore) yield this.#next()
    checkEnds(this.#actions ? streams : streams.slice(0, HEADER_STREAMS))
  }

  /** Values out of range come from a content that no writer has made. */
  #next(): DecodedBlock {
    try {
      const block = this.#headers.next()
      if (this.#actions) block.traces = this.#actions.next()
      return block
    } catch (error) {
      if (error instanceof RangeError || error instanceof UserError) throw otherLayout(error.message)
      throw error
    }
  }
}
