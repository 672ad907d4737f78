// Clean shutdown: the first SIGINT or SIGTERM asks for it, a second one, or ten seconds, force it.

/** Longest time from the signal to the end of the process, ms. */
const PATIENCE = 10_000

/** A signal that is aborted when the process is asked to end. */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController()
  let asked = false
  const force = (why: string) => {
    process.stderr.write(`${why}: ending at once\n`)
    process.exit(130)
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (asked) force('second signal')
      asked = true
      setTimeout(force, PATIENCE, 'shutdown takes too long').unref()
      controller.abort()
    })
  return controller.signal
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
