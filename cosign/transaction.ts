// Reads a serialised transaction within fixed bounds, and checks that the bytes are its only encoding.
import { Serializer, Transaction } from '@wharfkit/antelope'
import { Reader } from '../core/antelope/reader.ts'
import { DecodeError } from '../core/errors.ts'
import { fromHex, toHex } from '../core/hex.ts'
import { sha256 } from '../core/sha256.ts'
import { Refusal } from './refusal.ts'

export interface Authorization {
  actor: string
  permission: string
}

export interface Action {
  account: string
  name: string
  authorization: Authorization[]
  data: Uint8Array
}

/** A transaction's content. */
export interface Unsigned {
  /** Unix seconds. */
  expiration: number
  /** Low 16 bits of the reference block's number. */
  refBlockNum: number
  refBlockPrefix: number
  maxNetUsageWords: number
  maxCpuUsageMs: number
  delaySec: number
  contextFreeActions: Action[]
  actions: Action[]
  /** Number of extensions. */
  extensions: number
}

export interface UserTransaction extends Unsigned {
  /** 64 hex digits: sha256 of the bytes. */
  id: string
  bytes: Uint8Array
}

/** Maximum size of a transaction, bytes: enough for a dozen actions with long memos. */
export const MAX_BYTES = 8192
/** Minimum encoded sizes, to refuse an impossible count before reading its items. */
const MIN_ACTION_SIZE = 18
const MIN_AUTHORIZATION_SIZE = 16
const MIN_EXTENSION_SIZE = 3

const HEX = /^(?:[0-9a-fA-F]{2})+$/

/**
 * Does not check that the encoding is the only one (see `requireOnlyForm`). @throws Refusal unless it is the hex of one
 * transaction
 */
export function readTransaction(hex: unknown): UserTransaction {
  if (hex === undefined) throw new Refusal('body', 'serializedTransaction is missing')
  if (typeof hex !== 'string') throw new Refusal('body', 'serializedTransaction must be a string of hex digits')
  if (hex === '') throw new Refusal('encoding', 'serializedTransaction is empty')
  const bytes = readHex(hex)
  const transaction = decode(bytes)
  return { id: toHex(sha256(bytes)), bytes, ...transaction }
}

/** Content of a packed transaction in any encoding. @throws Refusal */
export function readPacked(hex: string): Unsigned {
  return decode(readHex(hex))
}

function readHex(hex: string): Uint8Array {
  if (hex.length > 2 * MAX_BYTES) throw new Refusal('encoding', `The transaction is longer than ${MAX_BYTES} bytes`)
  if (!HEX.test(hex)) throw new Refusal('encoding', 'The transaction must be hex digits, two for each byte, without 0x')
  return fromHex(hex.toLowerCase())
}

function decode(bytes: Uint8Array): Unsigned {
  const reader = new Reader(bytes)
  try {
    const transaction = readUnsigned(reader)
    if (reader.remaining > 0)
      throw new Refusal('encoding', `${reader.remaining} bytes follow the transaction: send it alone`)
    return transaction
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new Refusal('encoding', 'This is no transaction: send it packed and not compressed, without signatures')
  }
}

/** @throws DecodeError */
export function readUnsigned(reader: Reader): Unsigned {
  return {
    expiration: reader.u32(),
    refBlockNum: reader.u16(),
    refBlockPrefix: reader.u32(),
    maxNetUsageWords: reader.varuint32(),
    maxCpuUsageMs: reader.u8(),
    delaySec: reader.varuint32(),
    contextFreeActions: list(reader, MIN_ACTION_SIZE, readAction),
    actions: list(reader, MIN_ACTION_SIZE, readAction),
    extensions: list(reader, MIN_EXTENSION_SIZE, extension).length,
  }
}

function list<T>(reader: Reader, least: number, read: (reader: Reader) => T): T[] {
  const count = reader.varuint32()
  reader.need(count * least)
  return Array.from({ length: count }, () => read(reader))
}

/** @throws DecodeError */
export function readAction(reader: Reader): Action {
  return {
    account: reader.name(),
    name: reader.name(),
    authorization: list(reader, MIN_AUTHORIZATION_SIZE, () => ({ actor: reader.name(), permission: reader.name() })),
    data: reader.lengthBytes(),
  }
}

function extension(reader: Reader): void {
  reader.u16()
  reader.lengthBytes()
}

/**
 * Decodes and encodes again with another implementation, which must return the same bytes: so the chain runs the
 * transaction that was checked. Ten times as slow as reading, so it follows the checks of the content.
 *
 * @throws Refusal
 */
export function requireOnlyForm({ bytes }: Pick<UserTransaction, 'bytes'>): void {
  let again: Uint8Array
  try {
    again = Serializer.encode({ object: Serializer.decode({ data: bytes, type: Transaction }) }).array
  } catch {
    throw new Refusal('encoding', 'This is no transaction')
  }
  if (Buffer.compare(again, bytes) !== 0)
    throw new Refusal('encoding', 'The transaction is not in its shortest form: numbers are padded')
}
