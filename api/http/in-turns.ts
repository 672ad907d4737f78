// Long computations in turns: everybody else has the processor in between.
import { setImmediate as others } from 'node:timers/promises'

/** How long a turn takes at most, one step more aside; milliseconds. */
const TURN_MS = 4

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
    await others()
    if (isStale()) return undefined
    started = performance.now()
  }
}
