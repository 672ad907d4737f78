// The curve BLS12-381 with keys in G1 and signatures in G2: votes of Savanna's finalizers, and validators of Ethereum and
// BNB Smart Chain. mcl computes, compiled to WebAssembly. This module alone sets it up, so import mcl from here only.
// Figures: docs/decisions/0040-bls.md.

import { hash_to_field } from '@noble/curves/abstract/hash-to-curve.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Fp, Fp2, G1, G2 } from 'mcl-wasm'
import mcl from 'mcl-wasm'

// mcl is one state for the process, and this module may be compiled into several bundles of it.
if (mcl.curveType === undefined) await mcl.init(mcl.BLS12_381)
// Field elements are big-endian, compressed points as in the consensus specifications of Ethereum.
mcl.setETHserialization(true)
mcl.setMapToMode(mcl.IRTF)
// `isValid` and `deserialize` then refuse points outside the subgroup.
mcl.verifyOrderG1(true)
mcl.verifyOrderG2(true)

export { type Fp, type Fp2, type G1, type G2, mcl }

/** Prime of the field, and order of the groups. Source: draft-irtf-cfrg-pairing-friendly-curves, 4.2.1. */
const FIELD_PRIME = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn
export const GROUP_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

const BASE = new mcl.G1()
BASE.deserializeHexStr(
  '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
)
const MINUS_BASE = mcl.neg(BASE)

/** The point of G2 of a message. Source: RFC 9380, 3 and 8.8.2. */
export function hashToG2(message: Uint8Array, DST: string): G2 {
  const options = { DST, p: FIELD_PRIME, m: 2, k: 128, hash: sha256, expand: 'xmd' } as const
  // Each point is already in the subgroup, and so is their sum.
  return hash_to_field(message, 2, options).map(mapToG2).reduce(mcl.add)
}

function mapToG2([c0, c1]: readonly bigint[]): G2 {
  const element = new mcl.Fp2()
  element.setStr(`${c0} ${c1}`, 10)
  return element.mapToG2()
}

/** Key of a secret below the order. Not constant-time: for development keys only. */
export function keyOf(secret: bigint): G1 {
  return mcl.mul(BASE, scalarOf(secret))
}

/** Signature of a hashed message by a secret below the order. Not constant-time: for development keys only. */
export function signPoint(point: G2, secret: bigint): G2 {
  return mcl.mul(point, scalarOf(secret))
}

function scalarOf(secret: bigint) {
  const scalar = new mcl.Fr()
  scalar.setStr(`${secret}`, 10)
  return scalar
}

/** A sum of keys, and the point of the message that they signed. */
export interface Signed {
  key: G1
  point: G2
}

/** Whether a signature is the sum of the signatures of all pairs. The points must be in their groups. */
export function isSumOfSignatures(signature: G2, pairs: readonly Signed[]): boolean {
  const product = pairs.reduce(
    (total, { key, point }) => mcl.mul(total, mcl.millerLoop(key, point)),
    mcl.millerLoop(MINUS_BASE, signature),
  )
  return mcl.finalExp(product).isOne()
}
