// A state with which a chain starts in its middle. It is written with the first block, in one transaction.
import type { AbiBook } from '../decode/abi-book.ts'
import type { ProjectedBlock } from '../store/rows.ts'

export interface ChainStart {
  /** The block after the state's. */
  readonly firstBlock: number
  /** Adds the ABIs of the state to a book. */
  load(book: AbiBook): void
  /** Inserts the rows of the state before the rows of the first block. Throws when the block does not follow the state. */
  join(block: ProjectedBlock): ProjectedBlock
}
