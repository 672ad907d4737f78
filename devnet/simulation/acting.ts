// Interface for tasks that act in a block.

import type { ActionCall } from '../chain/contract.ts'
import type { View } from '../contracts/trader/view.ts'
import type { Task } from './agenda.ts'

export interface Acting {
  /** Unix milliseconds of the block. */
  readonly now: number
  /** Tables, prices, and randomness that depends only on the task. */
  readonly view: View
  /** Runs a transaction, whose logs may create new tasks. @returns whether it was accepted */
  push(calls: readonly ActionCall[]): boolean
  /** Adds a task to the agenda of the same chain. */
  add(task: Task): void
  /** Requests that the block become irreversible soon. */
  hurry(): void
}

/** Reacts to logs of a chain's bridge and hop contracts. */
export interface LogReader {
  logged(name: string, data: Record<string, unknown>, acting: Acting): void
}
