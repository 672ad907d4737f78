// Functions that generated decoders and encoders call: readers and writers of built-in types. `builtins.ts` names the
// function of each type. Writers throw UserError INVALID_VALUE for a value of another type or out of range.

import { DecodeError, UserError } from '../../errors.ts'
import { fromHex } from '../../hex.ts'
import { type Asset, type ExtendedAsset, symbolCodeToU64, symbolToU64, type TokenSymbol } from '../asset.ts'
import { readF32, readF64, readI64, readU32, readU64, writeF32, writeF64 } from '../raw.ts'
import { EPOCH_MS, SLOT_MS, slotToMs } from '../time.ts'
import { TimePoint } from '../time-point.ts'
import type { Writer } from '../writer.ts'
import type { Cursor } from './cursor.ts'
import { packPublicKey, packSignature, readPublicKey, readSignature } from './keys.ts'
import {
  copyBytes,
  readAsset,
  readBool,
  readExtendedAsset,
  readHex,
  readI128,
  readName,
  readSymbol,
  readSymbolCode,
  readU128,
} from './values.ts'

function readVarint(c: Cursor): number {
  const value = c.varuint32()
  return (value >>> 1) ^ -(value & 1)
}

function readBytes(c: Cursor): Uint8Array {
  const size = c.varuint32()
  c.need(size)
  const start = c.pos
  c.pos = start + size
  return copyBytes(c.data, start, c.pos)
}

/** A bitset as a text of 0 and 1, highest bit first, the form in which nodes print it. @throws DecodeError INVALID_BITSET */
function readBitset(c: Cursor): string {
  const count = c.varuint32()
  const size = Math.ceil(count / 8)
  c.need(size)
  const start = c.pos
  c.pos = start + size
  const spare = size * 8 - count
  if (spare > 0 && (c.data[c.pos - 1] as number) >>> (8 - spare) !== 0) {
    throw new DecodeError('INVALID_BITSET', `bits beyond the length of the set before offset ${c.pos}`)
  }
  let text = ''
  for (let i = c.pos - 1; i >= start; i--) text += (c.data[i] as number).toString(2).padStart(8, '0')
  return text.slice(spare)
}

/** @throws UserError INVALID_VALUE */
function invalid(expected: string, value: unknown): never {
  throw new UserError('INVALID_VALUE', `not ${expected}: ${String(value).slice(0, 40)}`)
}

/** A bigint from a bigint or a safe integer, which is shorter to write by hand. */
function wide(value: bigint | number): bigint {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) ? BigInt(value) : invalid('a bigint', value)
}

function writeBool(w: Writer, value: boolean): void {
  if (typeof value !== 'boolean') invalid('a boolean', value)
  w.u8(value ? 1 : 0)
}

function writeSigned(w: Writer, value: number, bits: 8 | 16): void {
  const limit = 1 << (bits - 1)
  if (!Number.isInteger(value) || value < -limit || value >= limit) invalid(`a signed integer of ${bits} bits`, value)
  if (bits === 8) w.u8(value & 0xff)
  else w.u16(value & 0xffff)
}

function writeFloat(w: Writer, value: number, size: 4 | 8): void {
  if (typeof value !== 'number') invalid('a number', value)
  const at = w.reserve(size)
  if (size === 4) writeF32(w.data, at, value)
  else writeF64(w.data, at, value)
}

function writeFixedBytes(w: Writer, value: Uint8Array, size: number): void {
  if (!(value instanceof Uint8Array) || value.length !== size) invalid(`${size} bytes`, value)
  w.bytes(value)
}

function writeHex(w: Writer, value: string, size: number): void {
  if (typeof value !== 'string' || value.length !== size * 2) invalid(`${size * 2} hex digits`, value)
  w.bytes(fromHex(value))
}

function writeBlockTime(w: Writer, ms: number): void {
  const slot = (ms - EPOCH_MS) / SLOT_MS
  if (!Number.isInteger(slot)) invalid('a block time in Unix milliseconds', ms)
  w.u32(slot)
}

function writeSymbol(w: Writer, value: TokenSymbol): void {
  if (typeof value !== 'object' || value === null) invalid('a symbol', value)
  w.u64(symbolToU64(value))
}

function writeSymbolCode(w: Writer, value: string): void {
  w.u64(symbolCodeToU64(value))
}

function writeAsset(w: Writer, value: Asset): void {
  if (typeof value !== 'object' || value === null) invalid('an asset', value)
  w.i64(value.amount)
  w.u64(symbolToU64({ precision: value.precision, code: value.symbol }))
}

function writeExtendedAsset(w: Writer, value: ExtendedAsset): void {
  if (typeof value !== 'object' || value === null) invalid('an extended asset', value)
  writeAsset(w, value.quantity)
  w.name(value.contract)
}

function writeVarint(w: Writer, value: number): void {
  if ((value | 0) !== value) invalid('a signed integer of 32 bits', value)
  w.varuint32(((value << 1) ^ (value >> 31)) >>> 0)
}

function writeBytes(w: Writer, value: Uint8Array): void {
  if (!(value instanceof Uint8Array)) invalid('bytes', value)
  w.lengthBytes(value)
}

function writeBitset(w: Writer, value: string): void {
  if (typeof value !== 'string' || !/^[01]*$/.test(value)) invalid('a text of 0 and 1', value)
  w.varuint32(value.length)
  for (let end = value.length; end > 0; end -= 8) w.u8(Number.parseInt(value.slice(Math.max(0, end - 8), end), 2))
}

/** Refuses a value that is not an object where a struct is expected. */
function checkStruct(value: unknown, type: string): void {
  if (typeof value !== 'object' || value === null) invalid(`a ${type}`, value)
}

/** Refuses a value that is not a list of `count` items; -1 for any number. */
function checkList(value: unknown, count: number): void {
  if (!Array.isArray(value) || (count >= 0 && value.length !== count)) {
    invalid(count < 0 ? 'a list' : `a list of ${count}`, value)
  }
}

/**
 * An own member of a value; undefined if there is none. For names that every object inherits, such as `__proto__` and
 * `constructor`.
 */
function ownMember(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function missing(type: string, field: string): never {
  throw new UserError('INVALID_VALUE', `${type} lacks ${field}`)
}

function badAlternative(type: string, value: unknown): never {
  invalid(`[type, value] with a type of the variant ${type}`, value)
}

export const runtime = {
  badAlternative,
  checkList,
  checkStruct,
  copyBytes,
  missing,
  ownMember,
  packPublicKey,
  packSignature,
  readAsset,
  readBitset,
  readBool,
  readBytes,
  readExtendedAsset,
  readF32,
  readF64,
  readHex,
  readI128,
  readI64,
  readName,
  readPublicKey,
  readSignature,
  readSymbol,
  readSymbolCode,
  readU128,
  readU32,
  readU64,
  readVarint,
  slotToMs,
  TimePoint,
  wide,
  writeAsset,
  writeBitset,
  writeBlockTime,
  writeBool,
  writeBytes,
  writeExtendedAsset,
  writeFixedBytes,
  writeFloat,
  writeHex,
  writeSigned,
  writeSymbol,
  writeSymbolCode,
  writeVarint,
}

/** First line of generated source: declares the runtime's members as constants. */
export const RUNTIME_NAMES = `const {${Object.keys(runtime).join(',')}} = runtime\n`
