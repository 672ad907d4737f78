// Finalizer votes: BLS12-381 signatures with keys in G1 and signatures in G2, as Savanna uses them.
// Points are affine, each 48-byte field element little-endian: x, y in G1; x.c0, x.c1, y.c0, y.c1 in G2.
// Aggregation is the sum of points; proofs of possession on chain prevent rogue-key attacks.

import { bls12_381 as curve } from '@noble/curves/bls12-381.js'
import { LRUCache } from '../cache.ts'
import { DecodeError } from '../errors.ts'
import { toHex } from '../hex.ts'

const VOTE_DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'
const POSSESSION_DST = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

const G1 = curve.G1.Point
const G2 = curve.G2.Point
type G1Point = InstanceType<typeof G1>
type G2Point = InstanceType<typeof G2>

function readField(bytes: Uint8Array, at: number): bigint {
  const value = BigInt(`0x${toHex(Uint8Array.from(bytes.subarray(at, at + 48)).reverse())}`)
  if (value >= curve.fields.Fp.ORDER) throw new DecodeError('INVALID_BLS_POINT', 'field element out of range')
  return value
}

function writeField(value: bigint, bytes: Uint8Array, at: number): void {
  let rest = value
  for (let i = 0; i < 48; i += 8, rest >>= 64n) {
    new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(at + i, BigInt.asUintN(64, rest), true)
  }
}

function inGroup<P extends { is0(): boolean; assertValidity(): void }>(
  bytes: Uint8Array,
  length: number,
  build: () => P,
): P {
  if (bytes.length !== length) throw new DecodeError('INVALID_BLS_POINT', `${bytes.length} bytes, expected ${length}`)
  const point = build()
  if (point.is0()) throw new DecodeError('INVALID_BLS_POINT', 'the zero point')
  try {
    point.assertValidity()
  } catch (cause) {
    throw new DecodeError('INVALID_BLS_POINT', 'not a point of the group', { cause })
  }
  return point
}

/**
 * Keys by their bytes. A chain's finalizers vote on every block, and the check that a key is in the group takes a tenth of
 * a verification.
 */
const keys = new LRUCache<string, G1Point>({ max: 500 })

/** @throws DecodeError INVALID_BLS_POINT when the bytes are not a point of the group, or are the zero point */
function readG1(bytes: Uint8Array): G1Point {
  const name = toHex(bytes)
  let key = keys.get(name)
  if (key === undefined) {
    key = inGroup(bytes, 96, () => G1.fromAffine({ x: readField(bytes, 0), y: readField(bytes, 48) }))
    keys.set(name, key)
  }
  return key
}

function readG2(bytes: Uint8Array): G2Point {
  const fp2 = (at: number) => ({ c0: readField(bytes, at), c1: readField(bytes, at + 48) })
  return inGroup(bytes, 192, () => G2.fromAffine({ x: fp2(0), y: fp2(96) }))
}

function writeG1(point: G1Point): Uint8Array {
  const bytes = new Uint8Array(96)
  const { x, y } = point.toAffine()
  writeField(x, bytes, 0)
  writeField(y, bytes, 48)
  return bytes
}

function writeG2(point: G2Point): Uint8Array {
  const bytes = new Uint8Array(192)
  const { x, y } = point.toAffine()
  for (const [i, value] of [x.c0, x.c1, y.c0, y.c1].entries()) writeField(value, bytes, i * 48)
  return bytes
}

/**
 * Points of recent messages. A message is hashed when votes on it are made, counted and proved, and a hash takes a quarter
 * of a verification.
 */
const hashes = new LRUCache<string, G2Point>({ max: 64 })

function hashToG2(message: Uint8Array, DST: string): G2Point {
  const name = `${DST} ${toHex(message)}`
  let point = hashes.get(name)
  if (point === undefined) {
    point = curve.G2.hashToCurve(message, { DST })
    hashes.set(name, point)
  }
  return point
}

/** Secret scalar from 32 little-endian bytes, reduced modulo the group's order. */
export function blsSecret(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n) % curve.fields.Fr.ORDER
}

/** Sum of secrets: its signature equals the sum of their signatures. */
export function sumSecrets(secrets: readonly bigint[]): bigint {
  return secrets.reduce((sum, secret) => (sum + secret) % curve.fields.Fr.ORDER, 0n)
}

/** 96 bytes. */
export function blsPublicKey(secret: bigint): Uint8Array {
  return writeG1(G1.BASE.multiply(secret))
}

/** A vote over a message: 192 bytes. Not constant-time: for development keys only. */
export function blsSign(message: Uint8Array, secret: bigint): Uint8Array {
  return writeG2(hashToG2(message, VOTE_DST).multiplyUnsafe(secret))
}

/** Proof that the owner of a public key holds its secret: 192 bytes. */
export function blsProvePossession(secret: bigint): Uint8Array {
  return writeG2(hashToG2(blsPublicKey(secret), POSSESSION_DST).multiply(secret))
}

/** Sum of signatures: 192 bytes. */
export function aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array {
  return writeG2(signatures.map(readG2).reduce((sum, point) => sum.add(point), G2.ZERO))
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
    g1: publicKeys.map(readG1).reduce((sum, point) => sum.add(point), G1.ZERO),
    g2: hashToG2(message, DST),
  }))
  if (pairs.some((pair) => pair.g1.equals(G1.ZERO))) return false
  pairs.push({ g1: G1.BASE.negate(), g2: readG2(signature) })
  return curve.fields.Fp12.eql(curve.pairingBatch(pairs), curve.fields.Fp12.ONE)
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
