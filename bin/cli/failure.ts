// How the program ends when something went wrong: what, where, what to do; a stack only for our own mistakes.
import { HeadwaterError, UserError } from '../../core/errors.ts'
import { UsageError } from './parse.ts'

/** Exit codes: 1 something to change or a check that failed, 2 a wrong command line, 70 a bug. */
export function reportFailure(error: unknown): number {
  process.stderr.write(`${describe(error)}\n`)
  if (error instanceof UsageError) return 2
  return error instanceof UserError ? 1 : 70
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
