// Aggregate signatures of validators of Ethereum and BNB Smart Chain: BLS12-381, keys in G1, signatures in G2,
// compressed, with the domain tag of the proof-of-possession scheme. Source: consensus-specs, bls.md; BEP-126.
import { bls12_381 as curve } from '@noble/curves/bls12-381.js'
import { LRUCache } from '../cache.ts'
import { DecodeError } from '../errors.ts'
import { toHex } from '../hex.ts'
import { sha256 } from '../sha256.ts'

const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const G1 = curve.G1.Point
const G2 = curve.G2.Point
type G1Point = InstanceType<typeof G1>
type G2Point = InstanceType<typeof G2>

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
 * Verifies one aggregate signature over one message. A pairing takes tens of milliseconds, and each proof of a block
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
  const all = and.map(readKey).reduce((total, key) => total.add(key), sum === null ? G1.ZERO : readKey(sum))
  const signers = without.map(readKey).reduce((total, key) => total.subtract(key), all)
  if (signers.is0()) return false
  const pairs = [
    { g1: signers, g2: curve.G2.hashToCurve(message, { DST }) },
    { g1: G1.BASE.negate(), g2: readSignature(signature) },
  ]
  return curve.fields.Fp12.eql(curve.pairingBatch(pairs), curve.fields.Fp12.ONE)
}

/** Key of a secret, 48 bytes. For development chains. */
export function validatorKey(secret: bigint): Uint8Array {
  return G1.BASE.multiply(secret).toBytes(true)
}

/** Signature of a message, 96 bytes. A sum of secrets gives the aggregate signature. For development chains. */
export function validatorSign(message: Uint8Array, secret: bigint): Uint8Array {
  return curve.G2.hashToCurve(message, { DST }).multiplyUnsafe(secret).toBytes(true)
}

function readKey(bytes: Uint8Array): G1Point {
  return point(bytes, 48, () => G1.fromBytes(bytes))
}

function readSignature(bytes: Uint8Array): G2Point {
  return point(bytes, 96, () => G2.fromBytes(bytes))
}

function point<P extends { is0(): boolean; assertValidity(): void }>(
  bytes: Uint8Array,
  length: number,
  read: () => P,
): P {
  try {
    if (bytes.length !== length) throw new RangeError(`${bytes.length} bytes, not ${length}`)
    const found = read()
    found.assertValidity()
    return found
  } catch (cause) {
    throw new DecodeError('INVALID_BLS_POINT', `not a point of the group: ${(cause as Error).message}`, { cause })
  }
}
