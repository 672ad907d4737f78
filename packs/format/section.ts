// Sections of a file with rows: each begins with a chunk of JSON that names a table and its columns, without the chain.
import type { Chunk } from './chunks.ts'
import { damaged } from './fault.ts'

/** A column: name and PostgreSQL type. */
export type SectionColumn = readonly [name: string, type: string]

export interface Section {
  /** `ledger.swaps` */
  table: string
  columns: readonly SectionColumn[]
}

export function sectionContent({ table, columns }: Section): Buffer {
  return Buffer.from(JSON.stringify({ table, columns }))
}

/** @throws UserError PACK_DAMAGED */
export function readSection({ content }: Chunk, file: string): Section {
  const section = parsed(content)
  if (isSection(section)) return section
  throw damaged(file, 'a section does not name its table and columns')
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString())
  } catch {
    return null
  }
}

function isSection(value: unknown): value is Section {
  const { table, columns } = (value ?? {}) as Partial<Section>
  const isColumn = (column: unknown) =>
    Array.isArray(column) && column.length === 2 && column.every((part) => typeof part === 'string')
  return typeof table === 'string' && Array.isArray(columns) && columns.length > 0 && columns.every(isColumn)
}
