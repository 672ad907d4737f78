// Waits for a fact instead of the clock.

/** Longest wait, ms. Far above what a test needs on a machine with ten times as much work as processors. */
const LONGEST_MS = 240_000

/**
 * Waits until a condition holds.
 *
 * @param what     the condition, for the error; as a function, it is called when the wait is over
 * @param everyMs  pause between two checks
 * @throws when the condition does not hold within four minutes
 */
export async function until(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  everyMs = 5,
): Promise<void> {
  const deadline = performance.now() + LONGEST_MS
  while (!(await holds())) {
    if (performance.now() > deadline)
      throw new Error(`not within ${LONGEST_MS / 1000} s: ${typeof what === 'string' ? what : what()}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
