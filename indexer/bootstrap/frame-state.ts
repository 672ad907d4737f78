// Starts a chain from the full delta of a state-history log. Its rows are written with the first block, as of the block
// before it. The full delta has no block time: its rows get the first block's time minus half a second.
import { RetryableError } from '../../core/errors.ts'
import { BlockFault, isOfBlock } from '../block-fault.ts'
import { AbiBook } from '../decode/abi-book.ts'
import { decodeBlock } from '../decode/decode-block.ts'
import type { DecodedBlock } from '../decode/decoded.ts'
import type { Watch } from '../decode/watch.ts'
import type { Projector } from '../project/projector.ts'
import type { PackedBlock, StateFrame } from '../source/source.ts'
import type { BlockRows, ProjectedBlock } from '../store/rows.ts'
import type { ChainStart } from './chain-start.ts'

/** Time between blocks, ms. */
const SLOT_MS = 500
/** A packed header of zeros, longer than the part that is read. */
const NO_HEADER = new Uint8Array(128)
/** A packed empty list. */
const NO_TRACES = Uint8Array.of(0)

export interface FrameStateOptions {
  chain: string
  projector: Projector
  watch: Watch
  frame: StateFrame
}

export class FrameState implements ChainStart {
  private readonly options: FrameStateOptions

  constructor(options: FrameStateOptions) {
    this.options = options
  }

  get firstBlock(): number {
    return this.options.frame.num + 1
  }

  /** Adds the ABIs of the state to a book. @throws BlockFault when the state cannot be decoded */
  load(book: AbiBook): void {
    try {
      this.decode(book)
    } catch (error) {
      throw isOfBlock(error) ? new BlockFault(this.options.frame, error, true) : error
    }
  }

  /**
   * Inserts the rows of the state before the rows of the first block.
   *
   * @throws RetryableError ORIGIN_UNLINKED, DecodeError
   */
  join(block: ProjectedBlock): ProjectedBlock {
    const { chain, frame } = this.options
    if (block.num !== frame.num + 1 || block.prevId !== frame.id)
      throw new RetryableError(
        'ORIGIN_UNLINKED',
        `${chain}: block ${block.num} is not the child of block ${frame.num}, whose state was read`,
        { hint: 'the nodes must be of one chain', place: { chain, block: block.num } },
      )
    return { ...block, state: [], stateBlock: frame.num, more: this.rowsBefore(block) }
  }

  private *rowsBefore({ state, more, time }: ProjectedBlock): Generator<BlockRows> {
    const decoded = this.decode(new AbiBook())
    const projected = this.options.projector.project({ ...decoded, time: time - SLOT_MS })
    const ledger = projected.ledger.filter(({ table }) => table !== 'blocks')
    yield { ledger, state: projected.state, candles: projected.candles }
    if (projected.more) yield* projected.more
    yield { ledger: [], state, candles: [] }
    if (more) yield* more
  }

  private decode(book: AbiBook): DecodedBlock {
    const { frame, watch, chain } = this.options
    const block: PackedBlock = {
      ...frame,
      kind: 'packed',
      prevId: '',
      block: NO_HEADER,
      traces: NO_TRACES,
      finality: null,
    }
    return decodeBlock(block, watch, book, { chain, checksActions: false })
  }
}
