// Real answers of the demo, one for each operation and each of its errors. Written by generate-examples.ts.
import { readFileSync } from 'node:fs'

export interface OperationExample {
  /** Address of the request. */
  ask: string
  /** Body of the request. */
  sent?: unknown
  /** Media type and body of the answer, with long lists cut; absent for a redirect. */
  type?: string
  body?: unknown
  /** Bodies of the failures, in the order of the operation; null for a failure without a request. */
  failures?: readonly unknown[]
  /** For the stream: messages sent and the answers to them. */
  messages?: readonly { sent: object; got: unknown }[]
}

export type Examples = Readonly<Record<string, OperationExample>>

export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url)

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples
}
