// The cooperative scheduler of a process. Long tasks run in steps, and each turn of the event loop runs one step in total,
// however many tasks there are. So a request waits for at most one step.

/** Does one step of work. @returns whether there is more */
export type Step = () => boolean

/** Length of a slice, ms. A slice ends after the step that exceeds it. */
const SLICE_MS = 4

/** FIFO queue: each task waits for one step of every other task. */
const waiting: Step[] = []
let isPlanned = false

/** Runs steps until there are no more. The first step runs in the next turn. */
export function runSteps(step: Step): void {
  waiting.push(step)
  plan()
}

function plan(): void {
  if (isPlanned || waiting.length === 0) return
  isPlanned = true
  setImmediate(() => {
    isPlanned = false
    const step = waiting.shift() as Step
    try {
      if (step()) waiting.push(step)
    } finally {
      plan()
    }
  })
}

/** Resolves when the caller may run a step. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    runSteps(() => {
      resolve()
      return false
    })
  })
}

/**
 * Runs a computation in slices of a few milliseconds. The first slice runs at once.
 *
 * @param isStale  checked before each further slice; true ends the run
 * @returns the result of the steps; undefined if it became stale
 */
export async function runSlices<T>(steps: Generator<void, T>, isStale: () => boolean): Promise<T | undefined> {
  for (let started = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - started < SLICE_MS) continue
    await nextTurn()
    if (isStale()) return undefined
    started = performance.now()
  }
}
