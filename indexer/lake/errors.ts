// Errors of the lake.
import { UserError } from '../../core/errors.ts'

/** @param hint  default: to write to an empty place */
export function lakeConflict(address: string, reason: string, hint = 'write to an empty place'): UserError {
  return new UserError('LAKE_CONFLICT', `${address} cannot be continued: ${reason}`, { hint })
}

export function writtenTwice(address: string): UserError {
  return new UserError('LAKE_WRITTEN_TWICE', `${address}: another process writes to this lake`, {
    hint: 'one process may write a lake: stop the other one and run this again',
  })
}
