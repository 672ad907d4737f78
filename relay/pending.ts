// The work that the bridge API lists (`/pending`): its members used here. Amounts are ledger units as text, times Unix
// seconds, domains decimal text.

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
  /** Null where a relayer pays the withdrawal. */
  releaseTo: string | null
  recipient: string
  /** Token at the destination. */
  token: string
  symbol: string | null
  amount: string
  precision: number | null
  fee: string
  deadline: number
  estimatedGas: { light: number | null; hard: number; handoffs: number } | null
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
  /** Null for a refund, and so is `tx`. */
  released: boolean | null
  tx: string | null
  owner: string | null
}

export interface PendingHop {
  key: string
  contract: string | null
  id: string
  /** To whom the tokens go back. */
  back: { recipient: string | null }
}

export interface PendingWork {
  pending: PendingWithdrawal[]
  deposits: PendingDeposit[]
  settlements: PendingSettlement[]
  hops: PendingHop[]
}
