// How the program reports a failure: what, where, what to do. Only bugs show a stack.
import { HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'
import { UsageError } from './parse.ts'

/** Exit codes: 1 for failed checks, errors that a user can fix, and obstacles that may pass; 2 for a wrong command line; 70 for a bug. */
export function reportFailure(error: unknown): number {
  process.stderr.write(`${describe(readable(error))}\n`)
  if (error instanceof UsageError) return 2
  const isBug = !(readable(error) instanceof UserError || error instanceof RetryableError)
  return isBug ? 70 : 1
}

/** Turns an operating-system error with an external cause into one of ours. */
function readable(error: unknown): unknown {
  const { code, path, message } = (error ?? {}) as NodeJS.ErrnoException
  if (error instanceof HeadwaterError || code !== 'ENOSPC') return error
  return new UserError('DISK_FULL', `no disk space left${path === undefined ? '' : ` for ${path}`}: ${message}`, {
    hint: 'free some space, or set HEADWATER_DATA and TMPDIR to another disk',
  })
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
