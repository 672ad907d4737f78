// Real answers of the demo, one for each operation and each of its errors. Written by generate-examples.ts.
import { readFileSync } from 'node:fs'

export interface OperationExample {
  /** Address that was asked. */
  ask: string
  /** Body that was sent. */
  sent?: unknown
  /** Media type and body of the answer, long lists cut; absent where it leads elsewhere. */
  type?: string
  body?: unknown
  /** Bodies of the failures, in the order of the operation; null for one that was not asked for. */
  failures?: readonly unknown[]
  /** Of the stream: what was sent, and the message that came. */
  messages?: readonly { sent: object; got: unknown }[]
}

export type Examples = Readonly<Record<string, OperationExample>>

export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url)

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples
}
