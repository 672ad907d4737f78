// Hints that something may have changed, of which anybody may send any number: the first is followed at once, those that
// come within a short time after it together, once.

const BETWEEN_MS = 50

/** @param follow  what a hint calls for; looks for itself whether anything has changed */
export function paced(follow: () => void, betweenMs = BETWEEN_MS): () => void {
  let last = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  const run = () => {
    timer = null
    last = performance.now()
    follow()
  }
  return () => {
    if (timer !== null) return
    const wait = last + betweenMs - performance.now()
    if (wait <= 0) return run()
    timer = setTimeout(run, wait)
    timer.unref()
  }
}
