// Waits for a fact instead of the clock.

/** Waits until a condition holds. @throws when it does not within a minute */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited a minute in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
