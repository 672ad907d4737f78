// Starts a chain from a node's snapshot: the rows and ABIs as of its block, written in one transaction with the first
// block after it.
import { UserError } from '../../core/errors.ts'
import type { AbiBook, AbiVersion } from '../decode/abi-book.ts'
import type { Projector } from '../project/projector.ts'
import type { BlockRows, ProjectedBlock } from '../store/rows.ts'
import type { ChainStart } from './chain-start.ts'
import { type OriginBlock, projectPage } from './origin.ts'
import type { SnapshotWants } from './snapshot-wants.ts'
import type { Spool } from './spool.ts'

export interface SnapshotOriginOptions {
  chain: string
  projector: Projector
  /** The snapshot's block. */
  parent: OriginBlock
  abis: readonly AbiVersion[]
  /** The same ABIs, for decoding. */
  book: AbiBook
  spool: Spool
  wants: SnapshotWants
}

/** ABIs, and rows, that are written together. */
const CHUNK_ABIS = 200
const CHUNK_ROWS = 5000

export class SnapshotOrigin implements ChainStart {
  readonly #options: SnapshotOriginOptions

  constructor(options: SnapshotOriginOptions) {
    this.#options = options
  }

  get firstBlock(): number {
    return this.#options.parent.num + 1
  }

  load(book: AbiBook): void {
    book.load(this.#options.abis)
  }

  /** See ChainStart. @throws UserError SNAPSHOT_UNLINKED when the block is not the child of the snapshot's */
  join(block: ProjectedBlock): ProjectedBlock {
    const { chain, parent } = this.#options
    if (block.num !== parent.num + 1 || block.prevId !== parent.id)
      throw new UserError(
        'SNAPSHOT_UNLINKED',
        `${chain}: block ${block.num} follows ${block.prevId}, the snapshot is of block ${parent.id}`,
        {
          hint: 'the snapshot is of a block that a fork replaced, or of another chain: take a snapshot of an irreversible block',
          place: { chain, block: block.num },
        },
      )
    return { ...block, state: [], stateBlock: parent.num, more: this.#rowsBefore(block) }
  }

  *#rowsBefore({ state, more }: ProjectedBlock): Generator<BlockRows> {
    yield* this.#abis()
    yield* this.#rows()
    yield { ledger: [], state, candles: [] }
    if (more) yield* more
  }

  *#abis(): Generator<BlockRows> {
    const { chain, parent, abis } = this.#options
    for (let at = 0; at < abis.length; at += CHUNK_ABIS) {
      const ledger = abis.slice(at, at + CHUNK_ABIS).map(({ account, abi }) => {
        return { table: 'abis', row: { chain, account, blockNum: parent.num, globalSeq: 0n, abi } }
      })
      yield { ledger, state: [], candles: [] }
    }
  }

  /** Most tables of tokens have one row for each holder, so pages are written together. */
  *#rows(): Generator<BlockRows> {
    const { spool, wants } = this.#options
    let rows: BlockRows = { ledger: [], state: [], candles: [] }
    let undecoded = 0
    for (const page of spool.pages()) {
      const made = projectPage(page, this.#options, undecoded, wants.keepsRaw(page.code))
      for (const row of made.ledger) {
        if (row.table === 'undecoded_rows') undecoded++
        rows.ledger.push(row)
      }
      for (const row of made.state) rows.state.push(row)
      for (const candle of made.candles) rows.candles.push(candle)
      if (rows.state.length + rows.ledger.length < CHUNK_ROWS) continue
      yield rows
      rows = { ledger: [], state: [], candles: [] }
    }
    yield rows
  }
}
