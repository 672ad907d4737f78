// The rows of a range that are valued when it is taken over, and the price journal, as bytes of binary COPY by minute of
// block time. The server only stores the bytes: as rows of tables they would be parsed and formatted several times more.
import type { ClientBase } from 'pg'
import { minuteOf } from '../project/projection.ts'
import type { Catalog } from '../store/catalog.ts'
import { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { copyIn } from '../store/copy/copy-in.ts'
import type { BlockRows } from '../store/rows.ts'
import type { Segment } from '../store/segment.ts'
import { JournalCodec, type Journaled, PriceJournal } from './price-journal.ts'
import { createMinutes, minutesName, VALUED_TABLES, type ValuedTable } from './sql.ts'

/** Size of the bytes that are stored together. */
const PIECE_BYTES = 1 << 20
const EMPTY = new CopyBuffer().size

/** Collects the bytes of a worker's range. */
export class MinuteStage {
  private readonly catalog: Catalog
  private readonly journal = new PriceJournal()
  private readonly codecs = new Map<Journaled, JournalCodec>()
  /** Offset in the segment's buffer of each table from which its rows are not collected yet. */
  private readonly marks = new Map<ValuedTable, number>()
  private readonly scratch = new CopyBuffer()
  private readonly pieces = new CopyBuffer()
  /** Minute of the last block, Unix milliseconds. */
  private minute = 0
  private place = 0
  /** Sets whose table is there. */
  private made: string | null = null

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** Call before the rows of a block are added to the segment. @param time  of the block, Unix milliseconds */
  startBlock(segment: Segment, time: number): void {
    const minute = minuteOf(time)
    if (minute === this.minute) return
    this.closeMinute(segment)
    this.minute = minute
  }

  note({ state }: Pick<BlockRows, 'state'>): void {
    this.journal.note(state)
  }

  /** Ends the minute: its rows of the journal are complete. */
  closeMinute(segment: Segment): void {
    this.collectTrades(segment)
    for (const [table, rows] of this.journal.take()) {
      const codec = this.codecs.get(table) ?? new JournalCodec(this.catalog, table)
      this.codecs.set(table, codec)
      for (const row of rows) {
        codec.write(row, this.scratch)
        if (this.scratch.size >= PIECE_BYTES) this.endJournalPiece(table)
      }
      this.endJournalPiece(table)
    }
  }

  /** Writes what was collected. Call before the segment is cleared. */
  async write(client: ClientBase, setId: string, segment: Segment): Promise<void> {
    this.collectTrades(segment)
    this.marks.clear()
    if (this.pieces.rows === 0) return
    if (this.made !== setId) await client.query(createMinutes(setId))
    this.made = setId
    await copyIn(client, `staging.${minutesName(setId)} (place, minute, source, rows)`, this.pieces)
  }

  private collectTrades(segment: Segment): void {
    for (const name of VALUED_TABLES) {
      const buffer = segment.ledger.get(name)?.buffer
      const from = this.marks.get(name) ?? EMPTY
      if (!buffer || buffer.size <= from) continue
      this.addPiece(name, buffer.tuples(from))
      this.marks.set(name, buffer.size)
    }
  }

  private endJournalPiece(table: Journaled): void {
    if (this.scratch.rows > 0) this.addPiece(table, this.scratch.tuples())
    this.scratch.clear()
  }

  private addPiece(source: ValuedTable | Journaled, bytes: Buffer): void {
    this.pieces.row(4)
    this.pieces.int4(this.place++)
    this.pieces.int8(this.minute)
    this.pieces.text(source)
    this.pieces.bytea(bytes)
  }
}
