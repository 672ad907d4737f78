// Rows as CSV by RFC 4180: a header, CRLF, quotes where they are needed. Null is an empty field, an empty text is "".
// The server makes the fields; lines of COPY end with LF.
import type { Sink } from './sink.ts'
import type { ViewColumn } from './view.ts'

export const CSV_COPY = `format csv, encoding 'UTF8'`

/** SQL that gives a column's value as its text in the file. */
export function csvExpression({ name, type }: ViewColumn): string {
  const column = `v."${name}"`
  if (type === 'timestamptz') return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  if (type === 'bytea') return `encode(${column}, 'hex')`
  if (type.startsWith('_') || type === 'jsonb') return `to_json(${column})::text`
  return type === 'bool' ? `${column}::text` : column
}

export class CsvSink implements Sink {
  rows = 0
  private isQuoted = false
  private readonly write: (bytes: Uint8Array) => void

  constructor(columns: readonly ViewColumn[], write: (bytes: Uint8Array) => void) {
    this.write = write
    write(Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`))
  }

  begin(): void {}

  /** Between quotes a line end is part of a field and stays as it is. Two quotes in a row leave and enter again. */
  add(chunk: Buffer): void {
    const parts = chunk.toString('latin1').split('"')
    for (let i = 0; i < parts.length; i++) {
      if (i > 0) this.isQuoted = !this.isQuoted
      if (this.isQuoted) continue
      const lines = (parts[i] as string).split('\n')
      this.rows += lines.length - 1
      parts[i] = lines.join('\r\n')
    }
    this.write(Buffer.from(parts.join('"'), 'latin1'))
  }

  end(): void {}
}
