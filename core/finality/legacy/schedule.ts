// Producer schedules before Savanna, and producers' signatures of blocks.
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { skipPublicKey } from '../../antelope/abi/keys.ts'
import { Reader } from '../../antelope/reader.ts'
import { Writer } from '../../antelope/writer.ts'
import { DecodeError } from '../../errors.ts'
import { toHex } from '../../hex.ts'
import { sha256 } from '../../sha256.ts'

/** A producer's signing authority: its keys' weights must reach a threshold. */
export interface ProducerAuthority {
  producer: string
  threshold: number
  /** Packed `public_key` each. */
  keys: readonly { key: Uint8Array; weight: number }[]
}

export interface ProducerSchedule {
  version: number
  producers: readonly ProducerAuthority[]
}

/** Packs a `producer_authority_schedule`: header extension 1 of a block that proposes a schedule. */
export function packSchedule({ version, producers }: ProducerSchedule): Uint8Array {
  const writer = new Writer()
  writer.u32(version)
  writer.varuint32(producers.length)
  for (const { producer, threshold, keys } of producers) {
    writer.name(producer)
    writer.varuint32(0) // block_signing_authority_v0
    writer.u32(threshold)
    writer.varuint32(keys.length)
    for (const { key, weight } of keys) {
      writer.bytes(key)
      writer.u16(weight)
    }
  }
  return writer.finish()
}

/** @throws DecodeError TRUNCATED, SCHEDULE_LAYOUT, INVALID_KEY */
export function readSchedule(bytes: Uint8Array): ProducerSchedule {
  const reader = new Reader(bytes)
  const schedule = readScheduleAt(reader)
  if (reader.remaining > 0) throw new DecodeError('SCHEDULE_LAYOUT', `${reader.remaining} bytes follow the schedule`)
  return schedule
}

/** The schedule at the reader's position. @throws DecodeError TRUNCATED, SCHEDULE_LAYOUT, INVALID_KEY */
export function readScheduleAt(reader: Reader): ProducerSchedule {
  const version = reader.u32()
  const producers = Array.from({ length: reader.varuint32() }, () => {
    const producer = reader.name()
    return { producer, ...readAuthority(reader) }
  })
  return { version, producers }
}

/** A `block_signing_authority`. @throws DecodeError TRUNCATED, SCHEDULE_LAYOUT, INVALID_KEY */
export function readAuthority(reader: Reader): Omit<ProducerAuthority, 'producer'> {
  const variant = reader.varuint32()
  if (variant !== 0) throw new DecodeError('SCHEDULE_LAYOUT', `block signing authority ${variant} is not known`)
  const threshold = reader.u32()
  const keys = Array.from({ length: reader.varuint32() }, () => {
    const start = reader.pos
    skipPublicKey(reader)
    return { key: reader.data.slice(start, reader.pos), weight: reader.u16() }
  })
  return { threshold, keys }
}

export function scheduleHash(schedule: ProducerSchedule): Uint8Array {
  return sha256(packSchedule(schedule))
}

/** Number of producers that make an earlier block irreversible: more than two thirds. */
export function confirmationsOf({ producers }: ProducerSchedule): number {
  return Math.floor((producers.length * 2) / 3) + 1
}

/**
 * The digest that a block's producer signs.
 *
 * @param packedHeader  of the block
 * @param blockRoot     root of the tree of all ids before the block
 * @param schedule      `scheduleHash` of the schedule in force
 */
export function signingDigest(packedHeader: Uint8Array, blockRoot: Uint8Array, schedule: Uint8Array): Uint8Array {
  return sha256(sha256(sha256(packedHeader), blockRoot), schedule)
}

/**
 * Whether signatures reach a producer's threshold. WebAuthn signatures do not count: a WebAuthn key signs
 * only requests of a browser, so a node cannot sign blocks with it.
 *
 * @param signatures  packed
 */
export function isSignedBy(
  { threshold, keys }: ProducerAuthority,
  digest: Uint8Array,
  signatures: readonly Uint8Array[],
): boolean {
  const signers = new Set(signatures.map((signature) => recoverKey(digest, signature)).filter((key) => key !== null))
  const weight = keys.reduce((sum, { key, weight: own }) => (signers.has(toHex(key)) ? sum + own : sum), 0)
  return weight >= threshold
}

/**
 * The packed key that made a signature, hex digits; null when none can be recovered. @param signature  packed: kind and
 * 65 bytes
 */
export function recoverKey(digest: Uint8Array, signature: Uint8Array): string | null {
  const [kind = 2, compactKind = 0] = signature
  const curve = [secp256k1, p256][kind]
  const recovery = compactKind - 31
  if (!curve || signature.length !== 66 || recovery < 0 || recovery > 3) return null
  try {
    const compact = Uint8Array.of(recovery, ...signature.subarray(2))
    const key = curve.recoverPublicKey(compact, digest, { prehash: false })
    return toHex(Uint8Array.of(kind, ...key))
  } catch {
    return null // not a point of the curve
  }
}
