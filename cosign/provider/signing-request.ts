// Signing requests (`esr:...`) of wallet sessions: a chain id, then an action, actions or a transaction.
import { inflateRawSync } from 'node:zlib'
import { Reader } from '../../core/antelope/reader.ts'
import { DecodeError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { Refusal } from '../refusal.ts'
import { type Action, MAX_BYTES, readAction, readUnsigned, type Unsigned } from '../transaction.ts'

export interface SigningRequest {
  /** 64 hex digits; null when the request has a chain alias instead. */
  chainId: string | null
  content: { actions: Action[] } | { transaction: Unsigned }
}

const COMPRESSED = 0x80
const VERSIONS = [2, 3]
const FORM = /^esr:(?:\/\/)?([A-Za-z0-9_-]+)$/

/** @throws Refusal */
export function readSigningRequest(text: string): SigningRequest {
  const [, payload] = FORM.exec(text) ?? []
  if (payload === undefined || payload.length > 4 * MAX_BYTES)
    throw new Refusal('encoding', 'request must be a signing request: esr:...')
  try {
    const bytes = Buffer.from(payload, 'base64url')
    const header = bytes[0] ?? 0
    if (!VERSIONS.includes(header & ~COMPRESSED))
      throw new Refusal('encoding', 'The signing request is of an unknown version')
    const rest = bytes.subarray(1)
    const data = header & COMPRESSED ? inflateRawSync(rest, { maxOutputLength: 2 * MAX_BYTES }) : rest
    return read(new Reader(data))
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (!(error instanceof DecodeError) && !isZlib(error)) throw error
    throw new Refusal('encoding', 'request is no signing request')
  }
}

function read(reader: Reader): SigningRequest {
  const chainId = readChain(reader)
  const kind = reader.u8()
  if (kind === 0) return { chainId, content: { actions: [readAction(reader)] } }
  if (kind === 1) {
    const count = reader.varuint32()
    reader.need(count)
    return { chainId, content: { actions: Array.from({ length: count }, () => readAction(reader)) } }
  }
  if (kind === 2) return { chainId, content: { transaction: readUnsigned(reader) } }
  throw new Refusal('encoding', 'The signing request holds no transaction')
}

function readChain(reader: Reader): string | null {
  if (reader.u8() === 1) return toHex(reader.bytes(32))
  // The chain alias is ignored: for transactions with a reference block, the stock plugin sends the default alias,
  // which belongs to another chain. The signature is valid on one chain only anyway.
  reader.skip(1)
  return null
}

function isZlib(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
}
