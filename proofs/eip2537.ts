// Converts points of BLS12-381 between Antelope's format (affine, 48-byte little-endian field elements) and that of
// EIP-2537 (64 bytes each, big-endian). The order of the elements is the same: x, y in G1; x.c0, x.c1, y.c0, y.c1 in
// G2.

import { DecodeError } from '../core/errors.ts'

const ANTELOPE = 48
const EVM = 64

/** A copy of the field element at an offset, with its bytes reversed. */
const reversed = (point: Uint8Array, from: number): Uint8Array =>
  new Uint8Array(point.subarray(from, from + ANTELOPE)).reverse()

/** @param point  96 bytes of G1 or 192 of G2 */
export function toEip2537(point: Uint8Array): Uint8Array {
  const count = point.length / ANTELOPE
  const out = new Uint8Array(count * EVM)
  for (let i = 0; i < count; i++) {
    out.set(reversed(point, i * ANTELOPE), (i + 1) * EVM - ANTELOPE)
  }
  return out
}

/**
 * @param point  128 bytes of G1 or 256 of G2
 * @throws DecodeError INVALID_BLS_POINT when the padding is not zero
 */
export function fromEip2537(point: Uint8Array): Uint8Array {
  const count = point.length / EVM
  const out = new Uint8Array(count * ANTELOPE)
  for (let i = 0; i < count; i++) {
    const padding = point.subarray(i * EVM, (i + 1) * EVM - ANTELOPE)
    if (padding.some((byte) => byte !== 0)) throw new DecodeError('INVALID_BLS_POINT', 'field element out of range')
    out.set(reversed(point, (i + 1) * EVM - ANTELOPE), i * ANTELOPE)
  }
  return out
}
