// Why a transaction is not signed. The text is for the sender; the reason, one of a fixed few, is for metrics and logs.

/** Stable: metrics and alerts name them. */
export type Reason =
  | 'body'
  | 'encoding'
  | 'noop'
  | 'contract'
  | 'recipient'
  | 'payer'
  | 'user'
  | 'header'
  | 'size'
  | 'transfer'
  | 'token'
  | 'limit'
  | 'expiry'
  | 'reference'
  | 'account'
  | 'simulation'

/** The transaction is refused: the sender's matter, answered 400. */
export class Refusal extends Error {
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.name = 'Refusal'
    this.reason = reason
  }
}

/** Nothing can be signed at present: not the sender's matter, answered 503. */
export class Unavailable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Unavailable'
  }
}
