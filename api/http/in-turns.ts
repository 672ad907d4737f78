// Long computations in turns: everybody else has the processor in between, however many of them there are.

/** How long a turn takes at most, one step more aside; milliseconds. */
const TURN_MS = 4

/** Who waits for a turn, the first one first. Each round of the event loop has one for all. */
const waiting: (() => void)[] = []

/**
 * Goes through steps until they are done.
 *
 * @param isStale  asked after each turn: true ends it
 * @returns what the steps return; undefined when it became stale
 */
export async function inTurns<T>(steps: Generator<void, T>, isStale: () => boolean): Promise<T | undefined> {
  for (let started = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - started < TURN_MS) continue
    await nextTurn()
    if (isStale()) return undefined
    started = performance.now()
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(giveTurn)
  })
}

/** What is given a turn takes it before the next round. */
function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}
