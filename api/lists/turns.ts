// Runs work in steps between requests. A request waits for at most one step, whatever the amount and kinds of work,
// because each turn of the event loop runs only one step.

/** Does one step of work. @returns whether there is more */
export type Step = () => boolean

const waiting: Step[] = []
let isDue = false

/** Runs a work's steps until it has no more, in turn with the steps of other work. */
export function inTurn(step: Step): void {
  waiting.push(step)
  plan()
}

function plan(): void {
  if (isDue || waiting.length === 0) return
  isDue = true
  setImmediate(() => {
    isDue = false
    const step = waiting.shift() as Step
    try {
      if (step()) waiting.push(step)
    } finally {
      plan()
    }
  })
}
