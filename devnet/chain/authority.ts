// Checks that a transaction has the signatures that its authorizations require, as a node does.

import { Checksum256, PublicKey, Signature } from '@wharfkit/antelope'
import { fromHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Chain } from './chain.ts'
import { covers, isPermission, requiredFor } from './permissions.ts'
import type { Transaction } from './transaction.ts'

/** A refusal with a node's message. */
export class AuthorityError extends Error {
  readonly number: number
  readonly kind: string

  /**
   * @param number  number of the exception in nodeos
   * @param kind    name of its class
   */
  constructor(number: number, kind: string, message: string) {
    super(message)
    this.number = number
    this.kind = kind
  }
}

/** Digest of absent context-free data, which is part of the signed digest. */
const NO_CONTEXT_FREE_DATA = new Uint8Array(32)

/**
 * @param signatures  as text; not checked for accounts whose permissions have no keys
 * @throws AuthorityError
 */
export function requireAuthority(
  { chainId, state }: Pick<Chain, 'chainId' | 'state'>,
  { actions, packedTrx }: Pick<Transaction, 'actions' | 'packedTrx'>,
  signatures: readonly string[],
): void {
  let given: Set<string> | undefined
  for (const { packed } of actions)
    for (const { actor, permission: name } of packed.authorization) {
      const permissions = state.permissionsOf(actor)
      const level = `${actor}@${name}`
      if (!isPermission(permissions, name))
        throw new AuthorityError(3060004, 'permission_query_exception', `Failed to retrieve permission: ${level}`)
      const required = requiredFor(permissions, packed)
      if (!covers(permissions, name, required))
        throw new AuthorityError(
          3090005,
          'irrelevant_auth_exception',
          `action declares irrelevant authority '${level}'; minimum authority is ${actor}@${required}`,
        )
      const permission = permissions.find((one) => one.name === name)
      if (!permission) continue
      given ??= keysOf(signatures, fromHex(chainId), packedTrx)
      const weight = permission.keys.reduce((sum, one) => (given?.has(normalized(one.key)) ? sum + one.weight : sum), 0)
      if (weight < permission.threshold)
        throw new AuthorityError(
          3090003,
          'unsatisfied_authorization',
          `transaction declares authority '${level}', but does not have signatures for it`,
        )
    }
}

/** Public keys that signed a transaction, as text. */
function keysOf(signatures: readonly string[], chainId: Uint8Array, packed: Uint8Array): Set<string> {
  const digest = Checksum256.from(sha256(chainId, packed, NO_CONTEXT_FREE_DATA))
  return new Set(
    signatures.map((text) => {
      try {
        return String(Signature.from(text).recoverDigest(digest))
      } catch {
        throw new AuthorityError(3010012, 'fc_exception', `invalid signature: ${text.slice(0, 101)}`)
      }
    }),
  )
}

/** A key in its current text form, because accounts may have it in the older one. */
function normalized(key: string): string {
  return String(PublicKey.from(key))
}
