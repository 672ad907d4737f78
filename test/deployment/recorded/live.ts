// The clock of live chains.

const SLOT_MS = 500

/** Calls at each slot of the clock, with its Unix milliseconds. @returns stops it */
export function everyHalfSecond(work: (time: number) => void): () => void {
  const timer = setInterval(() => work(Math.floor(Date.now() / SLOT_MS) * SLOT_MS), SLOT_MS)
  return () => clearInterval(timer)
}
