// Finalizer votes: BLS12-381 signatures with keys in G1 and signatures in G2, as Savanna uses them.
// Points are affine, each 48-byte field element little-endian: x, y in G1; x.c0, x.c1, y.c0, y.c1 in G2.
// Aggregation is the sum of points; proofs of possession on chain prevent rogue-key attacks.

import {
  type Fp,
  type Fp2,
  type G1,
  type G2,
  GROUP_ORDER,
  hashToG2,
  isSumOfSignatures,
  keyOf,
  mcl,
  signPoint,
} from '../bls12-381.ts'
import { LRUCache } from '../cache.ts'
import { DecodeError } from '../errors.ts'
import { toHex } from '../hex.ts'

const VOTE_DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'
const POSSESSION_DST = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

const ONE = new mcl.Fp()
ONE.setInt(1)
const ONE_OF_FP2 = new mcl.Fp2()
ONE_OF_FP2.setInt(1, 0)

function readField(bytes: Uint8Array, at: number): Fp {
  const value = new mcl.Fp()
  try {
    value.deserialize(Uint8Array.from(bytes.subarray(at, at + 48)).reverse())
  } catch (cause) {
    throw new DecodeError('INVALID_BLS_POINT', 'field element out of range', { cause })
  }
  return value
}

function readFp2(bytes: Uint8Array, at: number): Fp2 {
  const value = new mcl.Fp2()
  value.set_a(readField(bytes, at))
  value.set_b(readField(bytes, at + 48))
  return value
}

function writeFields(values: readonly Fp[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 48)
  for (const [i, value] of values.entries()) bytes.set(value.serialize().reverse(), i * 48)
  return bytes
}

function checkLength(bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new DecodeError('INVALID_BLS_POINT', `${bytes.length} bytes, expected ${length}`)
}

/** @param bytes  of the point. The zero point has no affine coordinates and is written as zeros. */
function checkPoint(point: G1 | G2, bytes: Uint8Array): void {
  if (bytes.every((byte) => byte === 0)) throw new DecodeError('INVALID_BLS_POINT', 'the zero point')
  if (!point.isValid()) throw new DecodeError('INVALID_BLS_POINT', 'not a point of the group')
}

/**
 * Keys by their bytes. A chain's finalizers vote on every block, and to check that 21 keys are in the group takes half of a
 * verification.
 */
const keys = new LRUCache<string, G1>({ max: 500 })

/** @throws DecodeError INVALID_BLS_POINT when the bytes are not a point of the group, or are the zero point */
function readG1(bytes: Uint8Array): G1 {
  const name = toHex(bytes)
  const known = keys.get(name)
  if (known !== undefined) return known
  checkLength(bytes, 96)
  const key = new mcl.G1()
  key.setX(readField(bytes, 0))
  key.setY(readField(bytes, 48))
  key.setZ(ONE)
  checkPoint(key, bytes)
  keys.set(name, key)
  return key
}

function readG2(bytes: Uint8Array): G2 {
  checkLength(bytes, 192)
  const point = new mcl.G2()
  point.setX(readFp2(bytes, 0))
  point.setY(readFp2(bytes, 96))
  point.setZ(ONE_OF_FP2)
  checkPoint(point, bytes)
  return point
}

function writeG1(point: G1): Uint8Array {
  const affine = mcl.normalize(point)
  return writeFields([affine.getX(), affine.getY()])
}

function writeG2(point: G2): Uint8Array {
  const affine = mcl.normalize(point)
  return writeFields([affine.getX(), affine.getY()].flatMap((value) => [value.get_a(), value.get_b()]))
}

/**
 * Points of recent messages. A message is hashed when votes on it are made, counted and proved, and a hash takes a quarter
 * of a verification.
 */
const hashes = new LRUCache<string, G2>({ max: 64 })

function hashMessage(message: Uint8Array, DST: string): G2 {
  const name = `${DST} ${toHex(message)}`
  let point = hashes.get(name)
  if (point === undefined) {
    point = hashToG2(message, DST)
    hashes.set(name, point)
  }
  return point
}

/** Secret scalar from 32 little-endian bytes, reduced modulo the group's order. */
export function blsSecret(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n) % GROUP_ORDER
}

/** Sum of secrets: its signature equals the sum of their signatures. */
export function sumSecrets(secrets: readonly bigint[]): bigint {
  return secrets.reduce((sum, secret) => (sum + secret) % GROUP_ORDER, 0n)
}

/** 96 bytes. Not constant-time: for development keys only. */
export function blsPublicKey(secret: bigint): Uint8Array {
  return writeG1(keyOf(secret))
}

/** A vote over a message: 192 bytes. Not constant-time: for development keys only. */
export function blsSign(message: Uint8Array, secret: bigint): Uint8Array {
  return writeG2(signPoint(hashMessage(message, VOTE_DST), secret))
}

/** Proof that the owner of a public key holds its secret: 192 bytes. Not constant-time: for development keys only. */
export function blsProvePossession(secret: bigint): Uint8Array {
  return writeG2(signPoint(hashMessage(blsPublicKey(secret), POSSESSION_DST), secret))
}

/** Sum of signatures: 192 bytes. */
export function aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array {
  return writeG2(signatures.map(readG2).reduce((sum, point) => mcl.add(sum, point), new mcl.G2()))
}

/** Voters over one message. */
export interface VoteGroup {
  publicKeys: readonly Uint8Array[]
  message: Uint8Array
}

function verifyGroups(groups: readonly VoteGroup[], signature: Uint8Array, DST: string): boolean {
  const voted = groups.filter((group) => group.publicKeys.length > 0)
  if (voted.length === 0) return false
  const pairs = voted.map(({ publicKeys, message }) => ({
    key: publicKeys.map(readG1).reduce((sum, point) => mcl.add(sum, point)),
    point: hashMessage(message, DST),
  }))
  if (pairs.some(({ key }) => key.isZero())) return false
  return isSumOfSignatures(readG2(signature), pairs)
}

/**
 * Verifies one aggregate signature of several groups of voters, each over its own message.
 *
 * @throws DecodeError INVALID_BLS_POINT for a key or signature that is zero or not a point of its group
 */
export function verifyVotes(groups: readonly VoteGroup[], signature: Uint8Array): boolean {
  return verifyGroups(groups, signature, VOTE_DST)
}

/** Verifies a proof of possession. Throws as `verifyVotes`. */
export function verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean {
  return verifyGroups([{ publicKeys: [publicKey], message: publicKey }], proof, POSSESSION_DST)
}
