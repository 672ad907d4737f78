// Errors for clients when a proof that should exist cannot be made. The log has the details; they may contain a node's
// address, so clients get the code only.
import { DecodeError, type HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'
import { HttpError } from '../http/failures.ts'
import type { Log } from '../http/log.ts'

/** @returns an HttpError; an unexpected error is returned unchanged */
export function proofFailure(error: unknown, key: string, log: Log): unknown {
  const isExpected = error instanceof UserError || error instanceof RetryableError || error instanceof DecodeError
  if (!isExpected) return error
  const { code, message, hint } = error as HeadwaterError
  log.warn(`no proof of ${key}: ${message}`, { code, hint })
  if (error instanceof UserError) return new HttpError(404, `there is no proof of ${key}: ${code}`)
  return new HttpError(503, `there is no proof of ${key} at this moment: ${code}`)
}
