// Stores packed rows on disk between reading them from a node and writing them to the database in one transaction. The
// file is unlinked once open, so the system removes it when the process ends or crashes.
import { closeSync, readSync, writeSync } from 'node:fs'
import { readU32 } from '../../core/antelope/raw.ts'
import { Reader } from '../../core/antelope/reader.ts'
import type { SnapshotRow } from '../../core/antelope/snapshot/tables.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { openUnnamedFile } from '../source/unnamed-file.ts'
import type { RowPage } from './read-tables.ts'

const CHUNK_BYTES = 1 << 20

export class Spool {
  private readonly file: number
  private readonly writer = new Writer(CHUNK_BYTES)
  private size = 0
  /** Number of rows added. */
  rows = 0

  /** @param folder  where to create the file; the system's temporary folder when absent */
  constructor(folder?: string) {
    this.file = openUnnamedFile(folder)
  }

  add({ code, table, scope, rows }: RowPage): void {
    for (const { key, value } of rows) {
      const { writer } = this
      writer.u32(value.length)
      writer.name(code)
      writer.name(table)
      writer.u64(scope)
      writer.u64(key)
      this.addValue(value)
    }
  }

  /** Adds a row of a snapshot. */
  addRow({ table, key, value }: SnapshotRow): void {
    const { writer } = this
    writer.u32(value.length)
    writer.u32(table.codeLow)
    writer.u32(table.codeHigh)
    writer.u32(table.tableLow)
    writer.u32(table.tableHigh)
    writer.u32(table.scopeLow)
    writer.u32(table.scopeHigh)
    writer.u64(key)
    this.addValue(value)
  }

  /** The rows in the order of `add`, grouped by table and scope. Can be iterated several times. */
  *pages(): Generator<RowPage> {
    this.write()
    let page: RowPage | null = null
    for (const record of this.records()) {
      const size = record.end - record.pos - HEAD_BYTES
      const at = { code: record.name(), table: record.name(), scope: record.u64() }
      const row = { key: record.u64(), value: record.bytes(size).slice() }
      const isSame = page?.code === at.code && page.table === at.table && page.scope === at.scope
      if (page && isSame && page.rows.length < PAGE_ROWS) page.rows.push(row)
      else {
        if (page) yield page
        page = { ...at, rows: [row] }
      }
    }
    if (page) yield page
  }

  close(): void {
    closeSync(this.file)
  }

  private addValue(value: Uint8Array): void {
    this.writer.bytes(value)
    this.rows++
    if (this.writer.pos >= CHUNK_BYTES) this.write()
  }

  private write(): void {
    const bytes = this.writer.finish()
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done, undefined, this.size + done)
    this.size += bytes.length
    this.writer.pos = 0
  }

  /** One reader for each record, positioned after its length field. The buffer is reused: copy what must be kept. */
  private *records(): Generator<Reader> {
    let buffer = new Uint8Array(CHUNK_BYTES * 2)
    let [filled, position] = [0, 0]
    while (position < this.size) {
      const read = readSync(this.file, buffer, filled, buffer.length - filled, position)
      position += read
      filled += read
      let start = 0
      while (filled - start >= 4) {
        const end = start + 4 + HEAD_BYTES + readU32(buffer, start)
        if (end > filled) break
        yield new Reader(buffer, start + 4, end)
        start = end
      }
      buffer.copyWithin(0, start, filled)
      filled -= start
      if (filled < buffer.length) continue
      const larger = new Uint8Array(buffer.length * 2)
      larger.set(buffer)
      buffer = larger
    }
  }
}

/** Size of code, table, scope and key. */
const HEAD_BYTES = 32
const PAGE_ROWS = 1000
