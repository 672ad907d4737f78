// Handles errors that no part of the program awaits. A library may leave a query's promise unhandled (pg-boss does when
// it records the end of a job); a database restart must not end the process for that.
import { HeadwaterError, RetryableError } from '../../core/errors.ts'
import { databaseError } from '../../indexer/store/errors.ts'
import { reportFailure } from './failure.ts'
import { createLog, type Log } from './log.ts'

/** Installs the handlers for the life of the process. Temporary errors are logged; any other error ends the process. */
export function handleStrayErrors(log: Pick<Log, 'warn'> = createLog('warn')): void {
  const handle = (error: unknown) => {
    if (!isTemporary(error)) process.exit(reportFailure(error))
    log.warn('an error that nothing waited for, and that passes', { reason: (error as Error).message })
  }
  process.on('unhandledRejection', handle)
  process.on('uncaughtException', handle)
}

/** Whether the error is a lost connection or a temporarily unavailable database. */
function isTemporary(error: unknown): boolean {
  if (error instanceof HeadwaterError) return error instanceof RetryableError
  // Errors with a path are about files: waiting does not help.
  if (!(error instanceof Error) || 'path' in error) return false
  return databaseError(error, {}) instanceof RetryableError
}
