// Work of a process that is done in steps between requests. However much there is of however many kinds, requests wait for
// one step at most: those of one turn of the event loop would add up.

/** Makes a step. @returns whether there are more */
export type Step = () => boolean

const waiting: Step[] = []
let isDue = false

/** Has steps made until there are no more of them, those of others in between. */
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
