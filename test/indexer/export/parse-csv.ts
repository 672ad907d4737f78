/** Reads CSV by RFC 4180, one character at a time. An unquoted empty field is null. */
export function parseCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = []
  let row: (string | null)[] = []
  let at = 0
  while (at < text.length) {
    let value: string | null
    if (text[at] === '"') {
      value = ''
      for (at++; !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        value += text[at]
        if (text[at] === '"') at++
      }
      at++
    } else {
      const start = at
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') at++
      value = start === at ? null : text.slice(start, at)
    }
    row.push(value)
    if (text[at] === ',') {
      at++
      continue
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`a line ends without CRLF at ${at}`)
    at += 2
    rows.push(row)
    row = []
  }
  return rows
}
