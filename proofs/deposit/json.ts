// Proofs of deposits as clients get them: the actions that credit one, in the order in which they are pushed.

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }

/** An action of a gateway. */
export interface DepositAction {
  account: string
  name: string
  /** Empty: whoever pushes it signs, with the permission of the account that `relayer` names. */
  authorization: { actor: string; permission: string }[]
  /** Packed members, hexadecimal digits. The first eight bytes are `relayer`. */
  data: string
  /** The same members; `proof` of a credit by its own type. Wide integers as text, bytes as hexadecimal digits. */
  decoded: { [name: string]: JsonValue }
}

/** Answer of `proofs/d:<domain>:<nonce>`. */
export interface DepositProof {
  /** The last one is the credit. What a gateway knows already changes nothing when it is pushed again. */
  actions: DepositAction[]
  /** Nothing that may still happen changes it. */
  immutable: boolean
}
