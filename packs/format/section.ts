// Sections of a file with rows: each begins with a chunk of JSON that names a table and its columns, without the chain.
import { damaged } from './fault.ts'

/** A column: name and PostgreSQL type. */
export type SectionColumn = readonly [name: string, type: string]

export interface Section {
  /** `ledger.swaps` */
  table: string
  columns: readonly SectionColumn[]
  /**
   * Set where the file has no rows of the table, because the reader makes them from the headers of the range. Empty.
   * Layout 2 has the blocks here whose certificates the publisher says to have verified: a reader does not use them.
   */
  verified?: readonly number[]
}

export function sectionContent({ table, columns, verified }: Section): Buffer {
  return Buffer.from(JSON.stringify({ table, columns, verified }))
}

/** @throws UserError PACK_DAMAGED */
export function readSection(content: Buffer, file: string): Section {
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
  const { table, columns, verified = [] } = (value ?? {}) as Partial<Section>
  const isColumn = (column: unknown) =>
    Array.isArray(column) && column.length === 2 && column.every((part) => typeof part === 'string')
  if (!Array.isArray(verified) || !verified.every(Number.isSafeInteger)) return false
  return typeof table === 'string' && Array.isArray(columns) && columns.length > 0 && columns.every(isColumn)
}
