// Tasks ordered by due time, then by key. For lists of at most some hundreds: inserting and removing move the tail.

import { itemAt } from '../../core/required.ts'

export interface Timed {
  /** Unique in a list. */
  readonly key: string
  /** Due time, Unix milliseconds. */
  readonly at: number
  /** Milliseconds from `at` before which the task cannot concern another chain; absent: it never does. */
  readonly reach?: number
}

function before(a: Timed, b: Timed): boolean {
  return a.at === b.at ? a.key < b.key : a.at < b.at
}

export class TaskList<T extends Timed> {
  private readonly tasks: T[] = []

  /** Due time of the first task, Unix milliseconds; infinity for an empty list. */
  get due(): number {
    return this.tasks[0]?.at ?? Number.POSITIVE_INFINITY
  }

  /** Unix milliseconds before which no task concerns another chain; infinity when none does. */
  get quiet(): number {
    let quiet = Number.POSITIVE_INFINITY
    for (const { at, reach } of this.tasks) {
      if (at >= quiet) break
      if (reach !== undefined && at + reach < quiet) quiet = at + reach
    }
    return quiet
  }

  /** The first task if it is due. */
  first(now: number): T | undefined {
    const task = this.tasks[0]
    return task && task.at <= now ? task : undefined
  }

  insert(task: T): void {
    this.tasks.splice(this.indexOf(task), 0, task)
  }

  /** @throws RangeError when the task is not in the list */
  remove(task: T): void {
    const at = this.indexOf(task)
    if (this.tasks[at] !== task) throw new RangeError(`no task ${task.key}`)
    this.tasks.splice(at, 1)
  }

  private indexOf(task: Timed): number {
    let low = 0
    let high = this.tasks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (before(itemAt(this.tasks, middle), task)) low = middle + 1
      else high = middle
    }
    return low
  }
}
