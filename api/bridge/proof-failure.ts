// What a client is told when a proof that should exist cannot be made. What a node does wrong is logged with its address,
// which no client is told.
import { DecodeError, type HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'
import { HttpError } from '../http/failures.ts'
import type { Log } from '../http/log.ts'

/** @returns the error itself when it is none that is expected */
export function proofFailure(error: unknown, key: string, log: Log): unknown {
  const isExpected = error instanceof UserError || error instanceof RetryableError || error instanceof DecodeError
  if (!isExpected) return error
  const { code, message, hint } = error as HeadwaterError
  log.warn(`no proof of ${key}: ${message}`, { code, hint })
  if (error instanceof UserError) return new HttpError(404, `there is no proof of ${key}: ${code}`)
  return new HttpError(503, `there is no proof of ${key} at this moment: ${code}`)
}
