// Rows of the ledger's tables on telos, and actions of the bridge, decoded.
import type { Asset } from '../../../core/antelope/asset.ts'
import type { TokenRef } from '../dex.ts'

export interface RouteRow {
  id: bigint
  domain: bigint
  vault: Uint8Array
  token: Uint8Array
  wrapped: TokenRef
  scale: bigint
  min: bigint
  max: bigint
  backing: bigint
  deposits_open: boolean
  withdrawals_open: boolean
}

export interface ParkedRow {
  id: bigint
  domain: bigint
  nonce: bigint
  receiver: string
  quantity: Asset
  contract: string
  memo: Uint8Array
  refund_to: Uint8Array
  /** Unix seconds. */
  arrived: number
}

export interface CounterRow {
  next_withdrawal: bigint
  next_parked: bigint
  /** The deposit in delivery: its receiver may read these. */
  forward_domain: bigint
  forward_nonce: bigint
}

export interface CreditData {
  domain: bigint
  nonce: bigint
  receiver: string
  token: Uint8Array
  /** Identifies the token, because a token contract of an Antelope chain holds several. */
  sym_code: string
  canonical: bigint
  refund_to: Uint8Array
  memo: Uint8Array
}

export interface WithdrawData {
  owner: string
  quantity: Asset
  domain: bigint
  recipient: Uint8Array
  fee: Asset
  memo: Uint8Array
}
