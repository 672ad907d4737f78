// Places in a history that is listed newest first. A page that begins behind a place neither loses nor repeats a row,
// however many come in at the top.

export interface Place {
  /** Unix milliseconds of the block. */
  time: number
  /** Global sequence of the action. */
  sequence: string
}

/** What is before every row. */
const NEWEST = ['infinity', '9223372036854775807'] as const

const CURSOR = /^(\d{1,15})-(\d{1,19})$/

export const CURSOR_PATTERN = '^[0-9]{1,15}-[0-9]{1,19}$'

export function cursorText({ time, sequence }: Place): string {
  return `${time}-${sequence}`
}

/** Parameters of `(block_time, global_seq) < (…, …)`; the end of all when there is no cursor, or none of ours. */
export function cursorParameters(cursor: string | undefined): [time: string, sequence: string] {
  const match = cursor === undefined ? null : CURSOR.exec(cursor)
  const time = Number(match?.[1])
  const sequence = BigInt(match?.[2] ?? 0)
  if (match === null || time > 8.64e15 || sequence > 9223372036854775807n) return [...NEWEST]
  return [new Date(time).toISOString(), sequence.toString()]
}
