// Tables as CSV (RFC 4180). Pure.

/** A text that a spreadsheet would take for a formula. Numbers with a sign are none. */
const FORMULA = /^[=@\t\r]|^[+-](?![\d.]+$)/

/** Rows of the same columns as text. A formula gets an apostrophe in front, so that no spreadsheet runs it. */
export function csv(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')
}

function cell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
