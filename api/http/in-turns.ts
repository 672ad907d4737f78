// Cooperative scheduler: long computations run in short slices, and one slice runs per round of the event loop, so that
// requests are served in between, however many computations there are.

/** Length of a slice, milliseconds. A slice ends after the step that exceeds it. */
const SLICE_MS = 4

/** FIFO queue of computations that wait for a slice. */
const waiting: (() => void)[] = []

/**
 * Runs steps until they are done.
 *
 * @param isStale  checked before each further slice; true ends the run
 * @returns the result of the steps; undefined if it became stale
 */
export async function inTurns<T>(steps: Generator<void, T>, isStale: () => boolean): Promise<T | undefined> {
  for (let started = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - started < SLICE_MS) continue
    await nextSlice()
    if (isStale()) return undefined
    started = performance.now()
  }
}

function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(resumeNext)
  })
}

/** Resumes the first computation; it runs before the next round of the event loop. */
function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}
