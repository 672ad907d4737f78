// The families of errors. A user error says what to change, a retryable error is retried with back-off, everything else
// is a bug and stops the process. Codes are stable: operators search for them.

/** Position in a chain that an error refers to. */
export interface ErrorPlace {
  chain?: string
  block?: number
  contract?: string
  action?: string
  /** A file, and an offset in it, bytes. */
  file?: string
  offset?: number
}

export class HeadwaterError extends Error {
  /** Stable, upper-case, listed in docs/operate/errors.md. */
  readonly code: string
  /** Advice to the operator. */
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

/** A temporary condition: a restarting node, a lost connection. Retried with back-off and counted. */
export class RetryableError extends HeadwaterError {}

/** Malformed bytes: a frame, an action or a row that cannot be decoded. */
export class DecodeError extends HeadwaterError {}

/** A broken invariant of this program. Stops the process. */
export class BugError extends HeadwaterError {}
