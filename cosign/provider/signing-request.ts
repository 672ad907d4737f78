// Signing requests (`esr:...`) as wallets' sessions encode them: a chain, then an action, actions or a transaction.
import { inflateRawSync } from 'node:zlib'
import { Reader } from '../../core/antelope/reader.ts'
import { DecodeError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { Refusal } from '../refusal.ts'
import { type Action, MOST_BYTES, readAction, readUnsigned, type Unsigned } from '../transaction.ts'

export interface SigningRequest {
  /** 64 hex digits; null when it is named by a number that is not known, or is for several. */
  chainId: string | null
  content: { actions: Action[] } | { transaction: Unsigned }
}

const COMPRESSED = 0x80
/** Chain ids by the numbers that stand for them in requests. */
const ALIASES: Readonly<Record<number, string>> = {
  1: 'aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906',
  2: '4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11',
  10: '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aec5a4',
  11: '384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0',
}
const VERSIONS = [2, 3]
const FORM = /^esr:(?:\/\/)?([A-Za-z0-9_-]+)$/

/** @throws Refusal */
export function readSigningRequest(text: string): SigningRequest {
  const [, payload] = FORM.exec(text) ?? []
  if (payload === undefined || payload.length > 4 * MOST_BYTES)
    throw new Refusal('encoding', 'request must be a signing request: esr:...')
  try {
    const bytes = Buffer.from(payload, 'base64url')
    const header = bytes[0] ?? 0
    if (!VERSIONS.includes(header & ~COMPRESSED))
      throw new Refusal('encoding', 'The signing request is of an unknown version')
    const rest = bytes.subarray(1)
    const data = header & COMPRESSED ? inflateRawSync(rest, { maxOutputLength: 2 * MOST_BYTES }) : rest
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
  return ALIASES[reader.u8()] ?? null
}

function isZlib(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
}
