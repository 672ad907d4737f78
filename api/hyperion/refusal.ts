// Requests of the Hyperion API that the ledger cannot answer exactly. They are refused, never answered in part.

const REFUSALS = {
  /** Actions that the ledger does not hold as they were. */
  action: 'HYPERION_ACTION',
  /** A parameter that this service does not know: ignoring it would answer more than what was asked. */
  parameter: 'HYPERION_PARAMETER',
  /** The request names neither an account nor a contract. */
  unbounded: 'HYPERION_UNBOUNDED',
  /** More rows than a page may skip. */
  depth: 'HYPERION_DEPTH',
  /** A contract whose transfers are not indexed. */
  contract: 'HYPERION_CONTRACT',
  /** A range of time before the indexed history, or balances from before it. */
  history: 'HYPERION_HISTORY',
  /** A search that took too long. */
  timeout: 'HYPERION_TIMEOUT',
  /** A transaction without an indexed transfer. */
  transaction: 'HYPERION_TRANSACTION',
} as const

type Reason = keyof typeof REFUSALS

export class HyperionRefusal extends Error {
  readonly statusCode: 400 | 404 | 503
  readonly code: string

  constructor(reason: Reason, message: string, statusCode: 400 | 404 | 503 = 400) {
    super(message)
    this.code = REFUSALS[reason]
    this.statusCode = statusCode
  }
}
