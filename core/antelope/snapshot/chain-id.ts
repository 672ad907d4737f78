// The chain id of a snapshot: a member of the global properties from version 3 on, the hash of the genesis state in
// version 2. The members after it have a fixed size, so its place follows from the section's end. The members before it
// must lead to the same place.
import { toHex } from '../../hex.ts'
import { sha256 } from '../../sha256.ts'
import { skipPublicKey } from '../abi/keys.ts'
import { Reader } from '../reader.ts'
import { damaged } from './layout.ts'

/** Bytes of `chain_config`: with the limit of return values from version 5 on. */
export const CONFIG_BYTES = 68
export const CONFIG_BYTES_SINCE_5 = 72
/** Bytes of the limits of WebAssembly, and in versions 4 and 5 of the key-value database before them. */
const WASM_BYTES = 44
const KEY_VALUE_BYTES = 12
const ID_BYTES = 32

/** @param section  the rows of `genesis_state` */
export function chainIdOfGenesis(section: Uint8Array): string {
  return toHex(sha256(section))
}

/**
 * @param section  the row of `global_property_object`
 * @param version  of the snapshot, 3 or above
 * @throws DecodeError SNAPSHOT_DAMAGED, and for malformed bytes
 */
export function chainIdOf(section: Uint8Array, version: number): string {
  const reader = new Reader(section)
  skipProposedSchedule(reader)
  reader.skip(version >= 5 ? CONFIG_BYTES_SINCE_5 : CONFIG_BYTES)
  const id = reader.bytes(ID_BYTES)
  if (reader.remaining !== tailBytes(version))
    throw damaged('the global properties have another size than their members', reader.pos)
  return toHex(id)
}

/** Bytes after the chain id. */
function tailBytes(version: number): number {
  if (version === 3) return 0
  return version <= 5 ? KEY_VALUE_BYTES + WASM_BYTES : WASM_BYTES
}

/** The members at the start of the global properties. */
export function skipProposedSchedule(reader: Reader): void {
  if (reader.flag()) reader.skip(4) // block of the proposed schedule
  reader.skip(4) // version of the schedule
  for (let left = reader.varuint32(); left > 0; left--) skipProducer(reader)
}

/** A producer with its block signing authority. */
function skipProducer(reader: Reader): void {
  reader.skip(8)
  if (reader.varuint32() !== 0) throw damaged('a proposed producer has an unknown authority', reader.pos)
  reader.skip(4) // threshold
  for (let left = reader.varuint32(); left > 0; left--) {
    skipPublicKey(reader)
    reader.skip(2) // weight
  }
}
