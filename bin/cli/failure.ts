// How the program reports a failure: what, where, what to do. Only errors without a code show a stack.
import { HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'
import { databaseError } from '../../indexer/store/errors.ts'
import { UsageError } from './parse.ts'

/** Exit codes: 1 for failed checks, errors that a user can fix, and obstacles that may pass; 2 for a wrong command line; 70 for a bug. */
export function reportFailure(error: unknown): number {
  const coded = codedError(error)
  process.stderr.write(`${describe(coded)}\n`)
  if (coded instanceof UsageError) return 2
  return coded instanceof UserError || coded instanceof RetryableError ? 1 : 70
}

/** Turns an error of the operating system or of PostgreSQL with an external cause into one of ours. */
function codedError(error: unknown): unknown {
  if (error instanceof HeadwaterError || !(error instanceof Error)) return error
  const { code, path, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC')
    return new UserError('DISK_FULL', `no disk space left${path === undefined ? '' : ` for ${path}`}: ${message}`, {
      hint: 'free some space, or set HEADWATER_DATA and TMPDIR to another disk',
    })
  // Only messages of PostgreSQL have a severity. A lost connection without one may be to another server.
  const ofDatabase = 'severity' in error ? databaseError(error, {}) : null
  return ofDatabase instanceof RetryableError ? ofDatabase : error
}

function describe(error: unknown): string {
  if (!(error instanceof HeadwaterError)) return error instanceof Error ? (error.stack ?? error.message) : String(error)
  const place = Object.entries(error.place).map(([name, value]) => `${name} ${value}`)
  const lines = [`${error.code}: ${error.message}`]
  if (place.length > 0) lines.push(`  at: ${place.join(', ')}`)
  if (error.hint !== undefined) lines.push(`  hint: ${error.hint}`)
  if (error.cause instanceof Error) lines.push(`  cause: ${error.cause.message}`)
  return lines.join('\n')
}
