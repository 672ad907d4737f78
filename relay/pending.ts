// The answer of the bridge API at `/pending`, with the members that the relayer uses. Amounts are ledger units as text,
// times Unix seconds, domains decimal text.

/** An action that a relayer sends. `pay` is the release of a withdrawal on an Antelope chain. */
export type RelayAction =
  | 'release'
  | 'expire'
  | 'pay'
  | 'credit'
  | 'forward'
  | 'bounce'
  | 'settle'
  | 'refund'
  | 'recover'

export interface PendingWithdrawal {
  key: string
  action: 'release' | 'expire'
  id: string
  domain: string
  /** Contract that releases the withdrawal; null on an Antelope chain, where the relayer pays it. */
  releaseTo: string | null
  recipient: string
  /** Token at the destination. */
  token: string
  symbol: string | null
  amount: string
  precision: number | null
  /** Part of `amount` that the sender of the release gets. */
  fee: string
  deadline: number
  /** Gas by kind of proof; `handoffs` is the part of `hard` for hand-offs. Null on an Antelope chain. */
  estimatedGas: { light: number | null; hard: number; handoffs: number } | null
  /** Whether the vault's allowance covers it after the entries before it; null when the allowance is unknown. */
  fits: boolean | null
  hasProof: boolean
  src_time: number
}

export interface PendingDeposit {
  key: string
  /** Possible actions, in the order to try. */
  actions: ('credit' | 'forward' | 'bounce')[]
  contract: string | null
  domain: string
  nonce: string
  recipient: string | null
  symbol: string | null
  amount: string
  precision: number | null
}

/** A withdrawal that has ended at its destination but not on the ledger. */
export interface PendingSettlement {
  key: string
  action: 'settle' | 'refund'
  contract: string | null
  id: string
  domain: string
  /** Outcome at the destination; null for a refund. */
  released: boolean | null
  /** Transaction of the outcome; null for a refund. */
  tx: string | null
  owner: string | null
}

export interface PendingHop {
  key: string
  contract: string | null
  id: string
  /** Where the tokens go back to. */
  back: { recipient: string | null }
}

export interface PendingWork {
  pending: PendingWithdrawal[]
  deposits: PendingDeposit[]
  settlements: PendingSettlement[]
  hops: PendingHop[]
}
