// The work of the bridge API, read in the background and shared by all lanes. A lane waits for it for a few seconds, so a
// slow API holds back nothing that was sent before.
import { type BridgeApi, unusable } from './bridge-api.ts'
import { type Task, tasksOf } from './choice/task.ts'
import type { Tokens } from './choice/tokens.ts'

/** Longest time for which a lane waits for an answer, ms. */
const WAIT_MS = 5000

export interface WorkOptions {
  api: Pick<BridgeApi, 'pending'>
  tokens: () => Tokens
  /** Minimum time for which lanes share one list, ms. */
  sharedMs: number
  /** Called after each reading with what is wrong with entries of the list; null when nothing is. */
  onMalformed: (what: string | null) => void
  waitMs?: number
}

/** What the bridge API listed. */
export interface TaskList {
  tasks: Task[]
  /** When it was requested and when it was there, Unix ms. What happened on a chain in between may be in it or not. */
  requestedAt: number
  at: number
}

export class Work {
  readonly #options: WorkOptions
  #reading: Promise<TaskList> | null = null
  #last: TaskList | null = null

  constructor(options: WorkOptions) {
    this.#options = options
  }

  /**
   * The newest list. One that took long to read is used for as long, so that each lane gets it once.
   *
   * @throws RetryableError RELAY_API; also when the answer takes too long, which is used later
   */
  async list(): Promise<TaskList> {
    const { sharedMs, waitMs = WAIT_MS } = this.#options
    const last = this.#last
    if (last !== null && Date.now() - last.at <= Math.max(sharedMs, last.at - last.requestedAt)) return last
    this.#reading ??= this.#read()
    return within(this.#reading, waitMs)
  }

  async #read(): Promise<TaskList> {
    const { api, tokens, onMalformed } = this.#options
    const requestedAt = Date.now()
    try {
      const wrong: string[] = []
      const pending = await api.pending()
      const tasks = tasksOf(pending, tokens(), (key, error) => {
        wrong.push(`${key.slice(0, 80)}: ${(error as Error).message}`)
      })
      onMalformed(wrong.length === 0 ? null : `${wrong.length} entries are malformed, the first is ${wrong[0]}`)
      return (this.#last = { tasks, requestedAt, at: Date.now() })
    } finally {
      this.#reading = null
    }
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unusable(`pending within ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // Its failure belongs to the next lane that asks.
    work.catch(() => {})
  }
}
