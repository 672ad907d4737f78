// CSV by RFC 4180: header, CRLF, quotes where needed. Null is an empty field, an empty text is "". The server formats
// the fields; this adds the header and changes COPY's LF to CRLF.
import type { Sink } from './sink.ts'
import type { ViewColumn } from './view.ts'

export const CSV_COPY = `format csv, encoding 'UTF8'`

/** SQL of a column's text in the file. */
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

  /** A line end inside quotes belongs to its field and is kept. An escaped quote toggles the state twice. */
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
