// Layout of an entry of a node's state-history log: header (magic, block id, payload size), payload, suffix (its own
// position in the file). Source: `libraries/state_history/include/eosio/state_history/log.hpp` of Spring 1.x.
import { DecodeError } from '../../errors.ts'
import { toHex } from '../../hex.ts'
import { blockNumOf } from '../block.ts'
import { readU32, readU64 } from '../raw.ts'

/** Bytes of the header: magic u64, block id, payload size u64. */
export const ENTRY_HEADER = 48
/** Bytes of the suffix: u64, the entry's position. */
export const ENTRY_SUFFIX = 8
/** High half of the magic: the high half of name("ship"). */
const SHIP_MAGIC = 0xc35d_5000
/** The only version that nodes since Leap read. EOSIO 2.1 wrote version 1 in another format. */
const VERSION = 0
/** Feature bit of the first entry of a pruned log. */
const PRUNED = 1

export interface EntryHeader {
  /** 64 hex digits. */
  id: string
  num: number
  /** Bytes from the end of the header to the suffix. */
  payloadSize: number
  /** Whether the log that begins with this entry is pruned. */
  isPruned: boolean
}

/** Whether the bytes begin with the magic of a state-history log, of any version. */
export function hasShipMagic(bytes: Uint8Array, at = 0): boolean {
  return bytes.length - at >= 8 && readU32(bytes, at + 4) === SHIP_MAGIC
}

/**
 * Reads an entry's header.
 *
 * @param options.anyMagic  accept an unknown magic: some first entries of restored logs have one
 * @throws DecodeError LOG_ENTRY for bytes that are no header, LOG_VERSION for a version or a feature that is not known
 */
export function readEntryHeader(bytes: Uint8Array, at = 0, options: { anyMagic?: boolean } = {}): EntryHeader {
  if (bytes.length - at < ENTRY_HEADER)
    throw new DecodeError('LOG_ENTRY', 'the file ends within the header of an entry')
  const magic = readU32(bytes, at)
  const isShip = hasShipMagic(bytes, at)
  if (!isShip && !options.anyMagic) {
    throw new DecodeError('LOG_ENTRY', `no entry begins here: ${toHex(bytes.subarray(at, at + 8))}`)
  }
  if (isShip) checkVersion(magic)
  const id = toHex(bytes.subarray(at + 8, at + 40))
  const payloadSize = readU64(bytes, at + 40)
  if (payloadSize > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new DecodeError('LOG_ENTRY', `a payload of ${payloadSize} bytes`)
  }
  return { id, num: blockNumOf(id), payloadSize: Number(payloadSize), isPruned: isShip && magic >>> 16 === PRUNED }
}

function checkVersion(magic: number): void {
  const version = magic & 0xffff
  const features = magic >>> 16
  if (version === VERSION && (features & ~PRUNED) === 0) return
  throw new DecodeError('LOG_VERSION', `version ${version} with features ${features} of the log is not known`, {
    hint: 'logs of EOSIO 2.1 and of versions later than Spring 1 have another layout: replay with Leap or Spring 1',
  })
}
