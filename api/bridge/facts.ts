// Facts of a leg or a journey in one snapshot of the database. All statuses are computed from them.
// Amounts are raw units as bigint, times Unix milliseconds, transactions 64 hex digits.

/** Block, time and transaction of a fact. */
export interface FactPlace {
  block: number
  time: number
  trx: string
  /** Orders the facts of a chain. */
  sequence: bigint
}

/** A deposit as logged on its source chain. */
interface DepositSource extends FactPlace {
  chain: string
  /** Whether its block is irreversible. */
  final: boolean
  sender: string
  recipient: string
  /** Address of an EVM token, or contract of an Antelope token. */
  token: string
  /** Null on an EVM chain. */
  symbol: string | null
  decimals: number | null
  /** Raw units of the source chain. */
  raw: bigint
  /** Ledger units. */
  canonical: bigint
  memo: Uint8Array
  /** Null on an Antelope chain. */
  refundTo: string | null
  vault: string | null
}

export type DepositEventType = 'credited' | 'parked' | 'forwarded' | 'bounced'

/** Event of a deposit on the ledger's chain. */
export interface DepositEvent extends FactPlace {
  type: DepositEventType
  account: string | null
  amount: bigint | null
  symbol: string | null
  decimals: number | null
  memo: Uint8Array | null
  refundTo: string | null
  withdrawalId: bigint | null
}

export interface DepositFacts {
  domain: bigint
  nonce: bigint
  /** Null if its chain is not indexed, or after a fork removed it. */
  source: DepositSource | null
  /** In the order of the ledger's chain. */
  events: readonly DepositEvent[]
  /** Whether the owner has collected a credit. */
  collected: boolean
  /** The token according to the ledger's routes: for a deposit whose events do not name it. */
  routeSymbol: string | null
  routeDecimals: number | null
}

export interface WithdrawalFacts {
  id: bigint
  domain: bigint
  burn: FactPlace
  /** Whether the block of the burn is irreversible. */
  final: boolean
  /**
   * Whether a proof can be made. Null if finality is not followed. Also null, instead of false, for an Antelope
   * destination: there the relayer may pay without a proof once the burn is irreversible.
   */
  proved: boolean | null
  vault: string
  token: string
  recipient: string
  /** Gross, ledger units. */
  amount: bigint
  fee: bigint
  /** Unix seconds, at most the largest safe integer. */
  deadline: number
  memo: Uint8Array
  owner: string | null
  symbol: string | null
  decimals: number | null
  /** Outcomes at the destination: paid or released, expired or voided. */
  outcomes: readonly WithdrawalOutcome[]
  /** Events on the ledger's chain. */
  settlements: readonly Settlement[]
}

interface WithdrawalOutcome extends FactPlace {
  chain: string
  released: boolean
}

export interface Settlement extends FactPlace {
  /** `released` is set for `settled`. */
  type: 'settled' | 'refunded'
  released: boolean | null
}

/** The hop contract's log of a journey. */
export interface HopFacts extends FactPlace {
  id: bigint
  srcDomain: bigint
  srcNonce: bigint
  dstDomain: bigint
  recipient: string
  backDomain: bigint
  back: string
  amount: bigint
  symbol: string
  decimals: number
  withdrawalId: bigint
  /** Withdrawal that returns the journey; null until it begins. */
  returnId: bigint | null
}
