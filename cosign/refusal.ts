// Why a transaction is not signed. The text is for the sender; the reason, one of a fixed set, is for metrics and logs.

/** Stable: metrics and alerts use these names. */
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

/** The transaction is refused because of its content; answered with 400. */
export class Refusal extends Error {
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.name = 'Refusal'
    this.reason = reason
  }
}

/** Nothing can be signed at present, whatever the transaction; answered with 503. */
export class Unavailable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Unavailable'
  }
}
