// Copies the ledger rows of a segment.
import type { Table } from './catalog.ts'
import type { Script } from './script.ts'
import type { Segment } from './segment.ts'

/** @returns number of rows by table */
export function copyLedger(script: Script, segment: Segment): Map<string, number> {
  const written = new Map<string, number>()
  for (const { table, buffer } of segment.ledger.values()) {
    if (buffer.rows === 0) continue
    written.set(table.id, buffer.rows)
    script.copy(`${table.id} (${columnList(table)})`, buffer)
  }
  return written
}

/** Column names as SQL. They come from the catalog, so they need no escaping. */
export function columnList(table: Table): string {
  return table.columns.map((column) => `"${column.name}"`).join(', ')
}
