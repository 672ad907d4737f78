// What the ledger knows of a leg or a journey: facts of one snapshot of the database. Statuses follow from them alone.
// Amounts are raw units as bigint, times Unix milliseconds, transactions 64 hex digits.

/** Where a fact stands. */
export interface FactPlace {
  block: number
  time: number
  trx: string
  /** Place in the order of its chain. */
  sequence: bigint
}

/** A deposit as its own chain has it. */
export interface DepositSource extends FactPlace {
  chain: string
  /** Whether its block can no longer be replaced. */
  final: boolean
  sender: string
  recipient: string
  /** Address of an EVM token, or contract of an Antelope one. */
  token: string
  /** Null on an EVM chain. */
  symbol: string | null
  decimals: number | null
  /** On its chain. */
  raw: bigint
  /** Ledger units. */
  canonical: bigint
  memo: Uint8Array
  /** On an EVM chain. */
  refundTo: string | null
  vault: string | null
}

export type DepositEventType = 'credited' | 'parked' | 'forwarded' | 'bounced'

/** What the ledger's chain made of a deposit. */
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
  /** Null while its chain is not indexed, or when a fork has taken it. */
  source: DepositSource | null
  /** In the order of the ledger's chain. */
  events: readonly DepositEvent[]
  /** Whether a credit has been collected by its owner. */
  collected: boolean
  /** The token by the ledger's routes, where no event tells it. */
  routeSymbol: string | null
  routeDecimals: number | null
}

export interface WithdrawalFacts {
  id: bigint
  domain: bigint
  burn: FactPlace
  /** Whether the block of the burn can no longer be replaced. */
  final: boolean
  /**
   * Whether a proof can be made; null where that is not known, and for an Antelope chain before it can: there the relayer
   * may pay without one, as soon as the burn is irreversible.
   */
  proved: boolean | null
  vault: string
  token: string
  recipient: string
  /** Gross, ledger units. */
  amount: bigint
  fee: bigint
  /** Unix seconds; one that no number holds is the largest safe integer. */
  deadline: number
  memo: Uint8Array
  owner: string | null
  symbol: string | null
  decimals: number | null
  /** What the destination says: paid or released, or expired or voided. */
  outcomes: readonly WithdrawalOutcome[]
  /** What the ledger's chain says. */
  settlements: readonly Settlement[]
}

export interface WithdrawalOutcome extends FactPlace {
  chain: string
  released: boolean
}

export interface Settlement extends FactPlace {
  /** `settled` says whether it was released. */
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
  /** Withdrawal of the way back, once there is one. */
  returnId: bigint | null
}
