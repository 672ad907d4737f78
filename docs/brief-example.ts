// Shortens an answer for an example: two rows of a list, two entries of a map, the beginning of long texts.

const ROWS = 2
/** An object with more members than this, all of them objects, is a map. */
const MEMBERS = 3
const MAX_TEXT = 240
const LINES = 12

export function briefly(value: unknown): unknown {
  if (typeof value === 'string') return brieflyText(value)
  if (Array.isArray(value)) return value.slice(0, ROWS).map(briefly)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  const isMap =
    members.length > MEMBERS &&
    members.every(([, one]) => typeof one === 'object' && one !== null && !Array.isArray(one))
  return Object.fromEntries((isMap ? members.slice(0, ROWS) : members).map(([name, one]) => [name, briefly(one)]))
}

function brieflyText(text: string): string {
  const lines = text.split('\n')
  if (lines.length > LINES) return `${lines.slice(0, LINES).join('\n')}\n`
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}
