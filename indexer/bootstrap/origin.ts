// The start of a chain without its history: rows and ABIs as read from a node, written in one transaction with the
// first block. Rows may be newer than that block. The blocks up to `stateBlock` overwrite them, so the state is exact
// from `stateBlock` on.

import { nameToString } from '../../core/antelope/name.ts'
import { RetryableError } from '../../core/errors.ts'
import type { AbiVersion } from '../decode/abi-book.ts'
import { type AbiBook, BLOCK_END } from '../decode/abi-book.ts'
import { attempt, Reason } from '../decode/attempt.ts'
import type { DecodedBlock, DecodedRow, UndecodedRow } from '../decode/decoded.ts'
import type { Projector } from '../project/projector.ts'
import type { BlockPosition } from '../source/source.ts'
import type { BlockRows, ProjectedBlock } from '../store/rows.ts'
import type { ChainStart } from './chain-start.ts'
import type { RowPage } from './read-tables.ts'
import type { Spool } from './spool.ts'

/** A block with its time, Unix milliseconds. */
export interface OriginBlock extends BlockPosition {
  time: number
}

export interface OriginOptions {
  chain: string
  projector: Projector
  /** The parent of the first indexed block; irreversible. */
  parent: OriginBlock
  /** Block from which the state is exact; irreversible. */
  stateBlock: number
  /** The node's ABIs as of `parent`. */
  abis: readonly AbiVersion[]
  /** The same ABIs, for decoding. */
  book: AbiBook
  spool: Spool
}

export class Origin implements ChainStart {
  private readonly options: OriginOptions

  constructor(options: OriginOptions) {
    this.options = options
  }

  get firstBlock(): number {
    return this.options.parent.num + 1
  }

  get stateBlock(): number {
    return this.options.stateBlock
  }

  load(book: AbiBook): void {
    book.load(this.options.abis)
  }

  /** Number of rows read, including those that cannot be decoded. */
  get rows(): number {
    return this.options.spool.rows
  }

  /**
   * Inserts the rows of the state before the rows of the first block.
   *
   * @throws RetryableError ORIGIN_UNLINKED when the block is not irreversible or not the child of `parent`
   */
  join(block: ProjectedBlock): ProjectedBlock {
    const { chain, parent, stateBlock } = this.options
    const isLinked = block.num === parent.num + 1 && block.prevId === parent.id
    if (!isLinked || block.lib < block.num)
      throw new RetryableError(
        'ORIGIN_UNLINKED',
        `${chain}: block ${block.num} is not the final child of block ${parent.num}, whose state was read`,
        {
          hint: 'the node of the chain API and the source of blocks must be of one chain, and near each other',
          place: { chain, block: block.num },
        },
      )
    return { ...block, state: [], stateBlock, more: this.rowsBefore(block) }
  }

  /** Drops the rows. */
  close(): void {
    this.options.spool.close()
  }

  private *rowsBefore({ state, more }: ProjectedBlock): Generator<BlockRows> {
    const { chain, parent, abis, spool } = this.options
    const seeds = abis.map(({ account, abi }) => {
      return { table: 'abis', row: { chain, account, blockNum: parent.num, globalSeq: 0n, abi } }
    })
    yield { ledger: seeds, state: [], candles: [] }
    let undecoded = 0
    for (const page of spool.pages()) {
      const rows = projectPage(page, this.options, undecoded)
      undecoded += rows.ledger.filter(({ table }) => table === 'undecoded_rows').length
      yield rows
    }
    yield { ledger: [], state, candles: [] }
    if (more) yield* more
  }
}

/**
 * Rows of a page, as of the parent block.
 *
 * @param undecoded  number of undecodable rows before the page
 * @param keepsRaw   whether rows that cannot be decoded are stored raw
 */
export function projectPage(
  page: RowPage,
  { projector, parent, book }: Pick<OriginOptions, 'projector' | 'parent' | 'book'>,
  undecoded = 0,
  keepsRaw = true,
): BlockRows {
  const { code, table, scope } = page
  const abi = book.at(code, parent.num, BLOCK_END)
  const rows: DecodedRow[] = []
  const undecodedRows: UndecodedRow[] = []
  for (const { key, value } of page.rows) {
    const place = { code, table, scope: nameToString(scope), scopeRaw: scope, primaryKey: key, present: true }
    const data = attempt(abi, 'tables', table, (known) => known.decodeRow(table, value))
    if (data instanceof Reason) {
      if (keepsRaw) undecodedRows.push({ ...place, ...data, raw: value })
    } else rows.push({ ...place, data, frame: value, start: 0, end: value.length })
  }
  const { ledger, state, candles } = projector.project({ ...blockOf(parent), rows, undecodedRows })
  let index = undecoded
  for (const { table: name, row } of ledger) {
    if (name === 'undecoded_rows') Object.assign(row, { rowIndex: index++ })
  }
  return { ledger: ledger.filter(({ table: name }) => name !== 'blocks'), state, candles }
}

function blockOf({ num, id, time }: OriginBlock): DecodedBlock {
  const at = { num, id }
  const none = { actions: [], rows: [], undecoded: [], undecodedRows: [], abiChanges: [] }
  return { ...at, prevId: '', time, producer: '', lib: at, head: at, ...none }
}
