// Takes the place of the package `async-hook-domain` of tap, which follows each promise by async hooks to find the test
// that an uncaught error belongs to. Following costs more than most tests; here an uncaught error fails the newest test
// that is still open. Either way the file fails.
type OnError = (error: unknown, type: string) => void

const open: Domain[] = []

export class Domain {
  readonly onerror: OnError

  /** @param onerror  gets uncaught errors and unhandled rejections until a newer domain is made, and after its end */
  constructor(onerror: OnError) {
    this.onerror = onerror
    if (open.length === 0) process.on('uncaughtExceptionMonitor', report)
    open.push(this)
  }

  destroy(): void {
    const at = open.indexOf(this)
    if (at < 0) return
    open.splice(at, 1)
    if (open.length === 0) process.off('uncaughtExceptionMonitor', report)
  }
}

/** Called before Node ends the process for an error. */
function report(error: Error, origin: string): void {
  if (process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0) return
  // Keeps the process alive this time.
  process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
  open.at(-1)?.onerror(error, origin)
}
