// Whether an account has signed a transaction itself, by the keys of its permission on the chain.
import { Checksum256, Signature } from '@wharfkit/antelope'
import { fromHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { sameKey } from '../public-key.ts'
import type { Permission } from './account.ts'

const NO_CONTEXT_FREE_DATA = new Uint8Array(32)

/**
 * Whether the recovered keys reach the permission's threshold. Authority delegated to other accounts does not count.
 *
 * @param chainId     64 hex digits
 * @param packed      the transaction
 * @param signatures  as clients send them; invalid ones are ignored
 */
export function isSignedBy(
  { keys, threshold }: Permission,
  chainId: string,
  packed: Uint8Array,
  signatures: readonly string[],
): boolean {
  const digest = Checksum256.from(sha256(fromHex(chainId), packed, NO_CONTEXT_FREE_DATA))
  const given = signatures.flatMap((text) => recovered(text, digest))
  const weight = keys
    .filter(({ key }) => given.some((one) => sameKey(one, key)))
    .reduce((sum, one) => sum + one.weight, 0)
  return threshold > 0 && weight >= threshold
}

/** The key recovered from a signature. Empty for an invalid text and for passkey signatures. */
function recovered(text: string, digest: Checksum256): string[] {
  try {
    return [String(Signature.from(text).recoverDigest(digest))]
  } catch {
    return []
  }
}
