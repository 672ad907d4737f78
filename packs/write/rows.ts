// Copies rows of the database into a file: one section a table, tables without rows left out.
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { TupleSplitter } from '../../indexer/store/copy/tuples.ts'
import { CHUNK, CHUNK_BYTES } from '../format/chunks.ts'
import { packRows, TransactionIds } from '../format/row-codec.ts'
import { type Section, sectionContent } from '../format/section.ts'
import type { PackTable } from '../format/sql.ts'
import type { PackFileWriter } from './file-writer.ts'

/** Writes rows of a file, and before them the ids of transactions that they refer to. */
export class RowsWriter {
  readonly #client: ClientBase
  readonly #writer: PackFileWriter
  readonly ids = new TransactionIds()
  #written = 0

  constructor(client: ClientBase, writer: PackFileWriter) {
    this.#client = client
    this.#writer = writer
  }

  /** @param copy  the table's `COPY ... TO STDOUT (FORMAT binary)` */
  async table(table: PackTable, copy: string): Promise<void> {
    const section = sectionOf(table)
    let parts: Buffer[] = []
    let size = 0
    for await (const { bytes, rows } of this.#rows(copy)) {
      if (this.#writer.rows[table.id] === undefined) await this.#writer.add(CHUNK.section, sectionContent(section))
      this.#writer.count(table.id, rows)
      parts.push(bytes)
      size += bytes.length
      if (size < CHUNK_BYTES) continue
      await this.#flush(section, parts)
      parts = []
      size = 0
    }
    await this.#flush(section, parts)
  }

  /** Names a table whose rows the reader makes, if they are those of the database; else writes them. */
  async made(table: PackTable, copy: string, made: { content: Buffer; count: number }): Promise<void> {
    let at = 0
    let isEqual = true
    for await (const { bytes } of this.#rows(copy)) {
      isEqual &&= Buffer.compare(bytes, made.content.subarray(at, at + bytes.length)) === 0
      at += bytes.length
    }
    if (!isEqual || at !== made.content.length) return this.table(table, copy)
    if (made.count === 0) return
    await this.#writer.add(CHUNK.section, sectionContent({ ...sectionOf(table), verified: [] }))
    this.#writer.count(table.id, made.count)
  }

  async *#rows(copy: string): AsyncGenerator<{ bytes: Buffer; rows: number }> {
    const splitter = new TupleSplitter()
    for await (const piece of this.#client.query(copyTo(copy)) as AsyncIterable<Buffer>) {
      const whole = splitter.add(piece)
      if (whole.rows > 0) yield whole
    }
  }

  async #flush(section: Section, parts: readonly Buffer[]): Promise<void> {
    if (parts.length === 0) return
    const content = packRows(section, Buffer.concat(parts), this.ids)
    const fresh = [...this.ids.places.keys()].slice(this.#written)
    if (fresh.length > 0) await this.#writer.add(CHUNK.ids, Buffer.from(fresh.join(''), 'latin1'))
    this.#written += fresh.length
    await this.#writer.add(CHUNK.data, content)
  }
}

function sectionOf({ id, columns }: PackTable): Section {
  return { table: id, columns: columns.slice(1).map(({ name, type }) => [name, type] as const) }
}
