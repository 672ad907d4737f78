// Aggregate signatures of validators of Ethereum and BNB Smart Chain: BLS12-381, keys in G1, signatures in G2,
// compressed, with the domain tag of the proof-of-possession scheme. Source: consensus-specs, bls.md; BEP-126.
import { type G1, type G2, hashToG2, isSumOfSignatures, keyOf, mcl, signPoint } from '../bls12-381.ts'
import { LRUCache } from '../cache.ts'
import { DecodeError } from '../errors.ts'
import { toHex } from '../hex.ts'
import { sha256 } from '../sha256.ts'

const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

/** Verdicts that are cached. The updates of a day of a beacon chain are a few hundred. */
const MAX_VERDICTS = 1000
const verdicts = new LRUCache<string, boolean>({ max: MAX_VERDICTS })

/** The signers' keys: `sum`, minus `without`, plus `and`. */
export interface SignerKeys {
  /** 48 bytes; null: start without a key. */
  sum: Uint8Array | null
  /** Keys in the sum that have not signed. */
  without: readonly Uint8Array[]
  /** Keys to add to the sum. */
  and?: readonly Uint8Array[]
}

/**
 * Verifies one aggregate signature over one message. A verification takes milliseconds, and each proof of a block
 * verifies the signature of the same update, so verdicts are cached.
 *
 * @param signature  96 bytes
 * @throws DecodeError INVALID_BLS_POINT for bytes that are not a point of their group
 */
export function verifyAggregate(keys: SignerKeys, message: Uint8Array, signature: Uint8Array): boolean {
  const key = digestOf(keys, message, signature)
  const known = verdicts.get(key)
  if (known !== undefined) return known
  const verdict = verifyOnce(keys, message, signature)
  verdicts.set(key, verdict)
  return verdict
}

/** Digest of all parts of a verification, each with its length. */
function digestOf({ sum, without, and = [] }: SignerKeys, message: Uint8Array, signature: Uint8Array): string {
  const counts = Uint32Array.of(sum === null ? 0 : 1, without.length, and.length)
  const parts = [...(sum === null ? [] : [sum]), ...without, ...and, message, signature]
  const lengths = Uint32Array.from(parts, (part) => part.length)
  return toHex(sha256(Buffer.concat([counts, lengths].map(bytesOf).concat(parts))))
}

function bytesOf({ buffer }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer)
}

function verifyOnce(keys: SignerKeys, message: Uint8Array, signature: Uint8Array): boolean {
  const { sum, without, and = [] } = keys
  const all = and.map(readKey).reduce((total, key) => mcl.add(total, key), sum === null ? new mcl.G1() : readKey(sum))
  const signers = without.map(readKey).reduce((total, key) => mcl.sub(total, key), all)
  if (signers.isZero()) return false
  return isSumOfSignatures(readSignature(signature), [{ key: signers, point: hashToG2(message, DST) }])
}

/** Key of a secret, 48 bytes. For development chains. */
export function validatorKey(secret: bigint): Uint8Array {
  return keyOf(secret).serialize()
}

/** Signature of a message, 96 bytes. A sum of secrets gives the aggregate signature. For development chains. */
export function validatorSign(message: Uint8Array, secret: bigint): Uint8Array {
  return signPoint(hashToG2(message, DST), secret).serialize()
}

function readKey(bytes: Uint8Array): G1 {
  return readPoint(bytes, 48, new mcl.G1())
}

function readSignature(bytes: Uint8Array): G2 {
  return readPoint(bytes, 96, new mcl.G2())
}

function readPoint<P extends G1 | G2>(bytes: Uint8Array, length: number, point: P): P {
  try {
    if (bytes.length !== length) throw new RangeError(`${bytes.length} bytes, not ${length}`)
    point.deserialize(bytes)
    // mcl reads only the first byte of the zero point.
    if (point.isZero() && bytes.subarray(1).some((byte) => byte !== 0))
      throw new RangeError('zero point with coordinates')
    return point
  } catch (cause) {
    throw new DecodeError('INVALID_BLS_POINT', `not a point of the group: ${(cause as Error).message}`, { cause })
  }
}
