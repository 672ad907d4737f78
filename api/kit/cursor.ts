// Cursors of histories listed newest first. A page that follows a cursor neither loses nor repeats a row when new rows
// arrive at the top.

import type { Form } from '../http/schema-problem.ts'
import { EXPECT_CURSOR } from './forms.ts'

export interface Place {
  /** Unix milliseconds of the block. */
  time: number
  /** Global sequence of the action. */
  sequence: string
}

/** Sorts before every row. */
const NEWEST = ['infinity', '9223372036854775807'] as const

const CURSOR = /^(\d{1,15})-(\d{1,19})$/
/** Unix milliseconds in the year 5138: much later times have forms that PostgreSQL refuses. */
const MAX_TIME = 1e14

export const CURSOR_FORM: Form = { pattern: '^[0-9]{1,15}-[0-9]{1,19}$', expect: EXPECT_CURSOR }

export function cursorText({ time, sequence }: Place): string {
  return `${time}-${sequence}`
}

/** Parameters of `(block_time, global_seq) < (…, …)`. Without a valid cursor, the page starts at the newest row. */
export function cursorParameters(cursor: string | undefined): [time: string, sequence: string] {
  const match = cursor === undefined ? null : CURSOR.exec(cursor)
  const time = Number(match?.[1])
  const sequence = BigInt(match?.[2] ?? 0)
  if (match === null || time > MAX_TIME || sequence > 9223372036854775807n) return [...NEWEST]
  return [new Date(time).toISOString(), sequence.toString()]
}
