// The families of errors. A user error says what to change, a retryable one is tried again with back-off,
// everything else is a bug and stops the process. Codes are stable: operators search for them.

/** Where in the chain an error speaks of. */
export interface ErrorPlace {
  chain?: string
  block?: number
  contract?: string
  action?: string
}

export class HeadwaterError extends Error {
  /** Stable, upper-case, listed in docs/operate/errors.md. */
  readonly code: string
  /** What the operator can do about it. */
  readonly hint: string | undefined
  readonly place: ErrorPlace

  constructor(code: string, message: string, options: { hint?: string; place?: ErrorPlace; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.hint = options.hint
    this.place = options.place ?? {}
  }
}

/** Wrong configuration, arguments or environment: the message says what to change. Never retried. */
export class UserError extends HeadwaterError {}

/** A condition that passes: a node that restarts, a lost connection. Retried with back-off and counted. */
export class RetryableError extends HeadwaterError {}

/** Bytes that do not say what they should: a frame, an action or a row that cannot be decoded. */
export class DecodeError extends HeadwaterError {}

/** An invariant of ours is broken. Stops the process. */
export class BugError extends HeadwaterError {}
