// Rows that follow from headers, certificates and finality data alone: they are not stored, and made again by the reader.
// The writer compares them with the database first, and stores the rows of a table that differ.
import { slotToMs } from '../../core/antelope/time.ts'
import { rowsOf } from '../../core/finality/rows.ts'
import type { Catalog, Column } from '../../indexer/store/catalog.ts'
import { COPY_STREAM } from '../../indexer/store/copy/tuples.ts'
import type { LedgerRow } from '../../indexer/store/rows.ts'
import { Segment } from '../../indexer/store/segment.ts'
import type { TrackedHeader } from './header-streams.ts'
import type { Section } from './section.ts'
import { withoutFirst } from './tuples.ts'

/** In the order in which a file names them. */
export const MADE_TABLES: readonly string[] = ['ledger.blocks', 'ledger.certificates', 'ledger.finality']

interface CopyRows {
  content: Buffer
  /** Number of rows. */
  count: number
}

export class MadeRows {
  readonly #chain: string
  readonly #catalog: Catalog
  readonly #segment: Segment

  constructor(chain: string, catalog: Catalog) {
    this.#chain = chain
    this.#catalog = catalog
    this.#segment = new Segment(catalog)
  }

  /**
   * @param verified  whether the certificate in the block was verified
   * @throws DecodeError FINALITY_VERSION
   */
  add({ num, id, header, tracked }: TrackedHeader, verified = false): void {
    const { previous: prevId, producer, timestamp } = header
    const chain = this.#chain
    const row = { chain, blockNum: num, blockId: id, prevId, blockTime: slotToMs(timestamp), producer }
    const ledger: LedgerRow[] = [{ table: 'blocks', row }]
    if (tracked) {
      for (const made of rowsOf(chain, tracked, [], verified)) {
        if (made.table !== 'finalizer_policies') ledger.push(made)
      }
    }
    this.#segment.add({ ledger, state: [], candles: [] })
  }

  /** Rows of a table in binary COPY format without the chain. */
  rows(table: string): CopyRows {
    const { content, count } = this.rowsOfChain(table)
    return { content: withoutFirst(content, this.#columns(table).length + 1), count }
  }

  /** As `rows`, with the chain as the first column. */
  rowsOfChain(table: string): CopyRows {
    const buffer = this.#segment.ledger.get(table.slice(table.indexOf('.') + 1))?.buffer
    if (!buffer || buffer.rows === 0) return { content: Buffer.alloc(0), count: 0 }
    const start = COPY_STREAM.head.length
    return { content: buffer.finish().subarray(start, buffer.size - COPY_STREAM.end.length), count: buffer.rows }
  }

  /** The table with the columns of its rows, without the chain. */
  section(table: string): Section {
    return { table, columns: this.#columns(table).map(({ name, type }) => [name, type]), verified: [] }
  }

  #columns(table: string): Column[] {
    return this.#catalog.get(table)?.columns.slice(1) ?? []
  }
}
