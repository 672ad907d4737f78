// Copies rows of the database into a file: one section a table, tables without rows left out.
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { CHUNK } from '../format/chunks.ts'
import { sectionContent } from '../format/section.ts'
import type { PackTable } from '../format/sql.ts'
import { TupleSplitter } from '../format/tuples.ts'
import { ChunkFiller, type PackFileWriter } from './file-writer.ts'

/** @param copy  the table's `COPY ... TO STDOUT (FORMAT binary)` */
export async function writeTable(
  client: ClientBase,
  writer: PackFileWriter,
  { id, columns }: PackTable,
  copy: string,
): Promise<void> {
  const splitter = new TupleSplitter()
  const filler = new ChunkFiller(writer, CHUNK.data)
  for await (const piece of client.query(copyTo(copy)) as AsyncIterable<Buffer>) {
    const { bytes, rows } = splitter.add(piece)
    if (rows === 0) continue
    if (writer.rows[id] === undefined) {
      const listed = columns.slice(1).map(({ name, type }) => [name, type] as const)
      await writer.add(CHUNK.section, sectionContent({ table: id, columns: listed }))
    }
    writer.count(id, rows)
    await filler.add(bytes)
  }
  await filler.flush()
}
