// Reads the text format of COPY: a row a line, fields by tabs, \N for null, backslashes before what would be misread.

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const LF = 10

export class CopyRows {
  private rest: Buffer | null = null

  /** @param onRow  called for each row that a chunk completes, with its fields; valid during the call */
  add(chunk: Buffer, onRow: (fields: (string | null)[]) => void): void {
    const end = chunk.lastIndexOf(LF)
    if (end < 0) {
      this.rest = this.rest ? Buffer.concat([this.rest, chunk]) : chunk
      return
    }
    const whole = chunk.subarray(0, end)
    const text = (this.rest ? Buffer.concat([this.rest, whole]) : whole).toString('utf8')
    this.rest = end + 1 < chunk.length ? Buffer.from(chunk.subarray(end + 1)) : null
    for (const line of text.split('\n')) onRow(line.includes('\\') ? line.split('\t').map(plain) : line.split('\t'))
  }
}

function plain(field: string): string | null {
  if (field === '\\N') return null
  return field.includes('\\') ? field.replace(/\\(.)/gs, (_, found: string) => ESCAPES[found] ?? found) : field
}
