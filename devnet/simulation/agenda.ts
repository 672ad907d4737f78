// Tasks of one chain. Tasks from the chain's own blocks are undone and redone with them. Tasks from outside, where
// nothing is undone, stay until they are done in a block that stays.

import type { ChainState } from '../chain/state.ts'
import type { Acting } from './acting.ts'
import { TaskList, type Timed } from './task-list.ts'

export interface Task extends Timed {
  /** Whether its first try gets an additional block when none is scheduled. */
  readonly urgent: boolean
  /** Number of earlier tries. */
  readonly tries?: number
  /** @returns Unix milliseconds of the next try; null when it is done */
  run(acting: Acting, task: Task): number | null
}

export class Agenda {
  private readonly state: ChainState
  private readonly urgent = new TaskList<Task>()
  private readonly patient = new TaskList<Task>()

  constructor(state: ChainState) {
    this.state = state
  }

  /** Unix milliseconds of the first urgent task; infinity when there is none. */
  get due(): number {
    return this.urgent.due
  }

  /** Unix milliseconds before which no task concerns another chain; infinity when none does. */
  get quiet(): number {
    return Math.min(this.urgent.quiet, this.patient.quiet)
  }

  /** Adds a task from outside of the chain. */
  post(task: Task): void {
    this.listOf(task).insert(task)
  }

  /** Adds a task as part of the current block. */
  add(task: Task): void {
    const list = this.listOf(task)
    this.state.apply({ redo: () => list.insert(task), undo: () => list.remove(task) })
  }

  /** Removes and returns the first due task, as part of the current block. */
  take(now: number): Task | undefined {
    const task = this.urgent.first(now) ?? this.patient.first(now)
    if (!task) return undefined
    const list = this.listOf(task)
    this.state.apply({ redo: () => list.remove(task), undo: () => list.insert(task) })
    return task
  }

  private listOf({ urgent }: Task): TaskList<Task> {
    return urgent ? this.urgent : this.patient
  }
}
