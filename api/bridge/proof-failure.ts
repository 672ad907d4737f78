// Errors for clients when a proof does not exist or cannot be built. The details may contain a node's address, so they
// are logged and clients get only the code.
import { BugError, DecodeError, type HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'
import { HttpError } from '../http/failures.ts'
import type { Log } from '../http/log.ts'
import type { ProofOutcome } from './proof-metrics.ts'

/**
 * Codes of a UserError for missing data: the proof needs a policy or a schedule from before the first stored block. All
 * other codes of a UserError report a wrong setting.
 */
const MISSING_DATA = new Set(['HANDOFF_MISSING', 'SCHEDULE_MISSING'])

/** The error that a client gets for a proof that cannot be built, with the outcome to count. */
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

/**
 * Outcome under which a failed request for a proof is counted. An error of any other class comes from the database or
 * the network and is temporary, so it counts as `delayed`.
 */
export function outcomeOf(error: unknown): ProofOutcome {
  if (error instanceof ProofRefusal) return error.outcome
  if (error instanceof HttpError) return 'none'
  if (error instanceof UserError) return MISSING_DATA.has(error.code) ? 'failed' : 'none'
  return error instanceof DecodeError || error instanceof BugError ? 'failed' : 'delayed'
}
