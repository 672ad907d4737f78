// What is to be done on one chain. A task that comes from the chain's own blocks goes and comes back with them; one that
// comes from outside, where nothing is taken back, stays until it is done in a block that stays.

import type { ChainState } from '../chain/state.ts'
import type { Acting } from './acting.ts'
import { TaskList, type Timed } from './task-list.ts'

export interface Task extends Timed {
  /** Gets a block of its own when none comes by the clock; only at the first try. */
  readonly urgent: boolean
  /** How often it was put off. */
  readonly tries?: number
  /** @returns Unix milliseconds of the next try, or null when it is done with */
  run(acting: Acting, task: Task): number | null
}

export class Agenda {
  private readonly state: ChainState
  private readonly urgent = new TaskList<Task>()
  private readonly patient = new TaskList<Task>()

  constructor(state: ChainState) {
    this.state = state
  }

  /** Unix milliseconds at which the first urgent task is due; infinity when there is none. */
  get due(): number {
    return this.urgent.due
  }

  /** Unix milliseconds before which no task concerns another chain; infinity when none does. */
  get quiet(): number {
    return Math.min(this.urgent.quiet, this.patient.quiet)
  }

  /** From outside of the chain. */
  post(task: Task): void {
    this.listOf(task).insert(task)
  }

  /** As part of the block in hand. */
  add(task: Task): void {
    const list = this.listOf(task)
    this.state.apply({ redo: () => list.insert(task), undo: () => list.remove(task) })
  }

  /** Takes the first task that is due by then, as part of the block in hand. */
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
