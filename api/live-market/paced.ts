// Throttles hints that something may have changed; any client may send any number of them. The first hint is followed
// at once. Hints within `betweenMs` after it are followed together, once.

const BETWEEN_MS = 50

/** @param follow  called after a hint; checks itself whether anything changed */
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
