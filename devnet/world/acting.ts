// What a task may do in a block.

import type { ActionCall } from '../chain/contract.ts'
import type { View } from '../contracts/trader/view.ts'
import type { Task } from './agenda.ts'

export interface Acting {
  /** Unix milliseconds of the block. */
  readonly now: number
  /** Tables, prices, and randomness that depends on the task alone. */
  readonly view: View
  /** Runs a transaction, whose logs may bring about new tasks. @returns whether it was accepted */
  push(calls: readonly ActionCall[]): boolean
  /** Puts a new task on the agenda of the same chain. */
  add(task: Task): void
  /** Asks that the block become irreversible at once. */
  hurry(): void
}

/** What comes of the logs that a chain's bridge and hop contracts write. */
export interface LogReader {
  logged(name: string, data: Record<string, unknown>, acting: Acting): void
}
