// Converts public keys and signatures between packed bytes and text (`PUB_K1_...`, `SIG_R1_...`, `PUB_WA_...`). Texts
// are base 58 with a RIPEMD-160 checksum: too slow for hot paths.

import { ripemd160 } from '@noble/hashes/legacy.js'
import { DecodeError, UserError } from '../../errors.ts'
import type { Reader } from '../reader.ts'
import { decodeBase58, encodeBase58 } from './base58.ts'

/** Curve or scheme by its number in packed form. */
const KINDS = ['K1', 'R1', 'WA'] as const
const LEGACY_PREFIX = 'EOS'
/** Limit of a WebAuthn key or signature, bytes: they contain texts of any length, and base 58 takes quadratic time. */
const SIZE_LIMIT = 2048

function checksum(payload: Uint8Array, kind: string): Uint8Array {
  const salted = new Uint8Array(payload.length + kind.length)
  salted.set(payload)
  for (let i = 0; i < kind.length; i++) salted[payload.length + i] = kind.charCodeAt(i)
  return ripemd160(salted).subarray(0, 4)
}

/** Text of the key or signature at the reader's position. `size` is the size of K1 and R1 after the kind byte. */
function readText(reader: Reader, prefix: string, size: number, skipTail: (reader: Reader) => void): string {
  const kind = KINDS[reader.u8()]
  if (!kind) throw new DecodeError('INVALID_KEY', `no kind of key or signature at offset ${reader.pos - 1}`)
  const start = reader.pos
  reader.skip(size)
  if (kind === 'WA') skipTail(reader)
  const payload = reader.data.subarray(start, reader.pos)
  if (payload.length > SIZE_LIMIT) {
    throw new DecodeError('INVALID_KEY', `a key or signature of ${payload.length} bytes, above ${SIZE_LIMIT}`)
  }
  const body = new Uint8Array(payload.length + 4)
  body.set(payload)
  body.set(checksum(payload, kind), payload.length)
  return `${prefix}_${kind}_${encodeBase58(body)}`
}

/** Skips the members of a WebAuthn key after the point: user presence, relying party. */
function skipKeyTail(reader: Reader): void {
  reader.skip(1)
  reader.skip(reader.varuint32())
}

/** Skips the members of a WebAuthn signature after the compact signature: authenticator data, client JSON. */
function skipSignatureTail(reader: Reader): void {
  reader.skip(reader.varuint32())
  reader.skip(reader.varuint32())
}

export function readPublicKey(reader: Reader): string {
  return readText(reader, 'PUB', 33, skipKeyTail)
}

export function readSignature(reader: Reader): string {
  return readText(reader, 'SIG', 65, skipSignatureTail)
}

/** Skips a packed public key without building its text. @throws DecodeError INVALID_KEY, TRUNCATED */
export function skipPublicKey(reader: Reader): void {
  const kind = reader.u8()
  if (kind >= KINDS.length) throw new DecodeError('INVALID_KEY', `no kind of key at offset ${reader.pos - 1}`)
  reader.skip(33)
  if (kind === 2) skipKeyTail(reader)
}

/** Skips a packed signature without building its text. */
export function skipSignature(reader: Reader): void {
  const kind = reader.u8()
  if (kind >= KINDS.length) throw new DecodeError('INVALID_KEY', `no kind of signature at offset ${reader.pos - 1}`)
  reader.skip(65)
  if (kind === 2) skipSignatureTail(reader)
}

function pack(text: string, prefix: string, size: number): Uint8Array {
  const refuse = () =>
    new UserError('INVALID_KEY', `not a ${prefix} text: ${JSON.stringify(String(text).slice(0, 20))}`)
  if (typeof text !== 'string' || text.length > SIZE_LIMIT * 2) throw refuse()
  const match = /^(PUB|SIG)_(K1|R1|WA)_([1-9A-HJ-NP-Za-km-z]+)$/.exec(text)
  const legacy = prefix === 'PUB' && text.startsWith(LEGACY_PREFIX)
  if (!legacy && match?.[1] !== prefix) throw refuse()
  const kind = legacy ? 'K1' : (match?.[2] as string)
  const body = decodeBase58(legacy ? text.slice(LEGACY_PREFIX.length) : (match?.[3] as string))
  const payload = body?.subarray(0, -4)
  if (!body || !payload || (kind === 'WA' ? payload.length <= size : payload.length !== size)) throw refuse()
  const sum = checksum(payload, legacy ? '' : kind)
  if (sum.some((byte, i) => byte !== body[payload.length + i])) throw refuse()
  const packed = new Uint8Array(payload.length + 1)
  packed[0] = KINDS.indexOf(kind as (typeof KINDS)[number])
  packed.set(payload, 1)
  return packed
}

/**
 * Packs a public key from its text, `EOS...` included.
 *
 * @throws UserError INVALID_KEY
 */
export function packPublicKey(text: string): Uint8Array {
  return pack(text, 'PUB', 33)
}

/**
 * Packs a signature from its text.
 *
 * @throws UserError INVALID_KEY
 */
export function packSignature(text: string): Uint8Array {
  return pack(text, 'SIG', 65)
}
