// Clean shutdown: the first SIGINT or SIGTERM requests it; a second one, or ten seconds, force it.

/** Maximum time from the signal to the end of the process, ms. */
const MAX_SHUTDOWN_MS = 10_000

/** A signal that is aborted when the process should end. */
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
      setTimeout(force, MAX_SHUTDOWN_MS, 'shutdown takes too long').unref()
      controller.abort()
    })
  return controller.signal
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
