// The tasks of a chain in one turn: which are free, the decision about each, and which decisions are new.
import type { Choice } from './choice/choose.ts'
import type { Task } from './choice/task.ts'
import type { Log } from './log.ts'
import type { Busy, Refusals } from './state/journal.ts'

/** Limit of remembered decisions. */
const MAX_REMEMBERED = 20_000

/** Decisions that were logged, by leg: each is logged once. */
export class Decisions {
  readonly #logged = new Map<string, string>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  note({ leg, actions }: Task, choice: Choice): void {
    const decision = choice.go ? 'send' : choice.skip
    if (this.#logged.get(leg) === decision) return
    if (this.#logged.size > MAX_REMEMBERED) this.#logged.clear()
    this.#logged.set(leg, decision)
    const { valueUsd, feeUsd, gasUsd } = choice
    const profitUsd = feeUsd === null || gasUsd === null ? null : feeUsd - gasUsd
    this.#log.info(choice.go ? 'chosen' : 'left', { leg, actions, decision, valueUsd, feeUsd, gasUsd, profitUsd })
  }
}

export class Board {
  readonly refusals: Refusals
  readonly #busy: Busy
  readonly #decisions: Decisions
  readonly #counts = new Map<string, number>()
  /** Earliest deadline of a release that is chosen, refused, or in no block yet, Unix seconds. */
  deadline: number | null = null

  constructor(refusals: Refusals, busy: Busy, decisions: Decisions) {
    this.refusals = refusals
    this.#busy = busy
    this.#decisions = decisions
  }

  /** Whether a task may be tried now: nothing of it is open, and not all of its actions were refused a moment ago. */
  isFree(task: Task): boolean {
    const { leg, actions } = task
    const stage = this.#busy(leg, actions)
    if (stage === 'waiting') this.#noteDeadline(task)
    if (stage !== null) return this.count('open')
    const refusals = actions.map((action) => this.refusals.of(leg, action))
    if (!refusals.every((refusal) => refusal?.isClosed === true)) return true
    if (refusals.every((refusal) => refusal?.kind === 'left')) return this.count('left')
    if (refusals.some((refusal) => refusal?.kind !== 'done')) this.#noteDeadline(task)
    return this.count('refused')
  }

  /** Whether an action of a task is in no final block yet. */
  isOpen({ leg, actions }: Task): boolean {
    return this.#busy(leg, actions) !== null
  }

  note(task: Task, choice: Choice): void {
    this.count(choice.go ? 'chosen' : choice.skip)
    this.#decisions.note(task, choice)
    // One that was left a moment ago is tried again at growing intervals: that is no reason for an alarm.
    const isLeft = task.actions.every((action) => this.refusals.of(task.leg, action)?.kind === 'left')
    if (choice.go && !isLeft) this.#noteDeadline(task)
  }

  /** Notes a free task of a chain that cannot be sent to now. @param choice  without regard to profit */
  watch(task: Task, choice: Choice): void {
    this.count(choice.go ? 'no-node' : choice.skip)
    if (choice.go) this.#noteDeadline(task)
  }

  #noteDeadline(task: Task): void {
    if (task.kind !== 'withdrawal' || task.entry.action !== 'release') return
    if (this.deadline === null || task.entry.deadline < this.deadline) this.deadline = task.entry.deadline
  }

  /** Number of tasks by state. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** Counts a task that is not tried now. */
  count(state: string): false {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + 1)
    return false
  }
}

/** Number of tasks by state, summed over the boards of several chains. */
export function countsOf(boards: Iterable<Board>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const board of boards)
    for (const [state, count] of board.counts) counts.set(state, (counts.get(state) ?? 0) + count)
  return counts
}
