// Readers of fixed-size types at an offset of a byte array. No bounds checks: generated decoders check the length of a
// whole run of fields first.

import { DecodeError } from '../../errors.ts'
import { toHex } from '../../hex.ts'
import type { Asset, ExtendedAsset, TokenSymbol } from '../asset.ts'
import { nameOfParts } from '../name.ts'
import { readI64, readU32, readU64 } from '../raw.ts'

export function readBool(data: Uint8Array, at: number): boolean {
  const byte = data[at] as number
  if (byte > 1) throw new DecodeError('INVALID_BOOL', `neither 0 nor 1 at offset ${at}: ${byte}`)
  return byte === 1
}

export function readName(data: Uint8Array, at: number): string {
  return nameOfParts(readU32(data, at), readU32(data, at + 4))
}

export function readU128(data: Uint8Array, at: number): bigint {
  const low = readU64(data, at)
  const high = readU64(data, at + 8)
  return high === 0n ? low : (high << 64n) | low
}

export function readI128(data: Uint8Array, at: number): bigint {
  return (readI64(data, at + 8) << 64n) | readU64(data, at)
}

/** Lower-case hex of `size` bytes. */
export function readHex(data: Uint8Array, at: number, size: number): string {
  return toHex(data.subarray(at, at + size))
}

/** A copy, so that a decoded value does not keep its whole frame in memory. */
export function copyBytes(data: Uint8Array, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start)
  copy.set(data.subarray(start, end))
  return copy
}

/** Direct-mapped cache of symbol code texts by value. */
const CODE_BITS = 10
const codeLow = new Uint32Array(1 << CODE_BITS)
const codeHigh = new Uint32Array(1 << CODE_BITS)
const codeText = new Array<string>(1 << CODE_BITS).fill('')

/** A code of 7 bytes, given as the low 4 and the high 3 bytes (unsigned). */
function symbolCode(low: number, high: number, at: number): string {
  const slot = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> (32 - CODE_BITS)
  if (codeLow[slot] === low && codeHigh[slot] === high) return codeText[slot] as string
  let text = ''
  let ended = false
  for (let i = 0; i < 7; i++) {
    const byte = (i < 4 ? low >>> (8 * i) : high >>> (8 * (i - 4))) & 0xff
    if (byte === 0) ended = true
    else if (ended || byte < 0x41 || byte > 0x5a) throw badSymbol(at)
    else text += String.fromCharCode(byte)
  }
  codeLow[slot] = low
  codeHigh[slot] = high
  codeText[slot] = text
  return text
}

function badSymbol(at: number): DecodeError {
  return new DecodeError('INVALID_SYMBOL', `no symbol at offset ${at}: its code is not letters A-Z followed by zeros`)
}

export function readSymbolCode(data: Uint8Array, at: number): string {
  const high = readU32(data, at + 4)
  if (high > 0xffffff) throw badSymbol(at)
  return symbolCode(readU32(data, at), high, at)
}

/** Code of the symbol at an offset, which starts with the precision byte. */
function codeAfterPrecision(data: Uint8Array, at: number): string {
  const first = readU32(data, at)
  const second = readU32(data, at + 4)
  return symbolCode(((first >>> 8) | (second << 24)) >>> 0, second >>> 8, at)
}

export function readSymbol(data: Uint8Array, at: number): TokenSymbol {
  return { precision: data[at] as number, code: codeAfterPrecision(data, at) }
}

export function readAsset(data: Uint8Array, at: number): Asset {
  return { amount: readI64(data, at), precision: data[at + 8] as number, symbol: codeAfterPrecision(data, at + 8) }
}

export function readExtendedAsset(data: Uint8Array, at: number): ExtendedAsset {
  return { quantity: readAsset(data, at), contract: readName(data, at + 16) }
}
