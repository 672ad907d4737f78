// Errors for clients when a proof is not there or cannot be made. The log has the details; they may contain a node's
// address, so clients get the code only.
import { BugError, DecodeError, type HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'
import { HttpError } from '../http/failures.ts'
import type { Log } from '../http/log.ts'
import type { ProofOutcome } from './proof-metrics.ts'

/** Rows from before the stored blocks that a proof needs. Other codes of `UserError` are of the configuration. */
const DAMAGE = new Set(['HANDOFF_MISSING', 'SCHEDULE_MISSING'])

/** A request for a proof that should exist and cannot be made. */
class ProofRefusal extends HttpError {
  readonly outcome: ProofOutcome

  constructor(statusCode: number, message: string, outcome: ProofOutcome) {
    super(statusCode, message)
    this.outcome = outcome
  }
}

/** @returns a ProofRefusal; an unexpected error is returned unchanged */
export function proofFailure(error: unknown, key: string, log: Log): unknown {
  const isExpected = error instanceof UserError || error instanceof RetryableError || error instanceof DecodeError
  if (!isExpected) return error
  const { code, message, hint } = error as HeadwaterError
  log.warn(`no proof of ${key}: ${message}`, { code, hint })
  const outcome = outcomeOf(error)
  if (error instanceof UserError) return new ProofRefusal(404, `there is no proof of ${key}: ${code}`, outcome)
  return new ProofRefusal(503, `there is no proof of ${key} at this moment: ${code}`, outcome)
}

/** How a failed request for a proof is counted. Any other error is one of the database or the network, which passes. */
export function outcomeOf(error: unknown): ProofOutcome {
  if (error instanceof ProofRefusal) return error.outcome
  if (error instanceof HttpError) return 'none'
  if (error instanceof UserError) return DAMAGE.has(error.code) ? 'failed' : 'none'
  return error instanceof DecodeError || error instanceof BugError ? 'failed' : 'delayed'
}
