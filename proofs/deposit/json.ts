// Deposit proofs as clients receive them: the actions that credit a deposit, in the order in which to push them.

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }

/** An action of a gateway. */
export interface DepositAction {
  account: string
  name: string
  /** Empty: the sender signs with a permission of the account in `relayer`. */
  authorization: { actor: string; permission: string }[]
  /** Packed parameters, hexadecimal digits. The first eight bytes are the name `relayer`. */
  data: string
  /**
   * The same parameters, decoded. So is the `proof` of a credit, which is packed bytes in `data`. Integers of more than 32
   * bits are decimal text, bytes hexadecimal digits.
   */
  decoded: { [name: string]: JsonValue }
}

/** Answer of `proofs/d:<domain>:<nonce>`. */
export interface DepositProof {
  /** The last action is the credit. Pushing an action that the gateway already knows changes nothing. */
  actions: DepositAction[]
  /** Whether the proof can never change. */
  immutable: boolean
}
