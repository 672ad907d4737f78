// What becomes of errors that no part of the program waits for. A library may leave a promise of a query to itself
// (pg-boss does when it notes the end of a job): a database that restarts must not end the process for that.
import { HeadwaterError, RetryableError } from '../../core/errors.ts'
import { databaseError } from '../../indexer/store/errors.ts'
import { reportFailure } from './failure.ts'
import { createLog, type Log } from './log.ts'

/** Listens for the life of the process. Errors that pass by themselves are logged; any other one ends the process. */
export function handleStrayErrors(log: Pick<Log, 'warn'> = createLog('warn')): void {
  const handle = (error: unknown) => {
    if (!passes(error)) process.exit(reportFailure(error))
    log.warn('an error that nothing waited for, and that passes', { reason: (error as Error).message })
  }
  process.on('unhandledRejection', handle)
  process.on('uncaughtException', handle)
}

/** Whether an error is of a connection or of a database that is not available for a while. */
function passes(error: unknown): boolean {
  if (error instanceof HeadwaterError) return error instanceof RetryableError
  // Files have paths; a missing file does not come by waiting.
  if (!(error instanceof Error) || 'path' in error) return false
  return databaseError(error, {}) instanceof RetryableError
}
