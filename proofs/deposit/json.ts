// Deposit proofs as clients receive them: the actions that credit a deposit, in the order in which to push them.

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }

/** An action of a gateway. */
export interface DepositAction {
  account: string
  name: string
  /** Empty: the sender signs with a permission of the account in `relayer`. */
  authorization: { actor: string; permission: string }[]
  /** Packed members, hex digits. The first eight bytes are `relayer`. */
  data: string
  /** The same members decoded; the `proof` of a credit by its own type. Wide integers as text, bytes as hex digits. */
  decoded: { [name: string]: JsonValue }
}

/** Answer of `proofs/d:<domain>:<nonce>`. */
export interface DepositProof {
  /** The last action is the credit. Pushing an action that the gateway already knows changes nothing. */
  actions: DepositAction[]
  /** Whether the proof can never change. */
  immutable: boolean
}
