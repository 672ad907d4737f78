// Copies a segment's ledger rows.
import type { ClientBase } from 'pg'
import type { Table } from './catalog.ts'
import { copyIn } from './copy/copy-in.ts'
import type { Segment } from './segment.ts'

/** @returns rows by table */
export async function copyLedger(client: ClientBase, segment: Segment): Promise<Map<string, number>> {
  const written = new Map<string, number>()
  for (const { table, buffer } of segment.ledger.values()) {
    if (buffer.rows === 0) continue
    written.set(table.id, buffer.rows)
    await copyIn(client, `${table.id} (${columnList(table)})`, buffer)
  }
  return written
}

/** Column names for SQL. They come from the catalog of our own migrations. */
export function columnList(table: Table): string {
  return table.columns.map((column) => `"${column.name}"`).join(', ')
}
