// The bloom filter of a block's logs has 2048 bits. Each address and each topic of a log sets three bits. If one of the
// three bits is not set, the block has no such address or topic. Source: Yellow Paper, section 4.3.1.
import { setBit } from '../bits.ts'
import { keccak } from './keccak.ts'

const BYTES = 256

/** Indexes of the three bits of an address or a topic. */
export type BloomBits = readonly [number, number, number]

export function bloomBits(value: Uint8Array): BloomBits {
  const hash = keccak(value)
  const words = new DataView(hash.buffer, hash.byteOffset)
  const bit = (at: number) => words.getUint16(at) & 2047
  return [bit(0), bit(2), bit(4)]
}

/** Whether all three bits are set. False is certain; true may be wrong. @param bloom  256 bytes */
export function bloomHolds(bloom: Uint8Array, bits: BloomBits): boolean {
  return bits.every((bit) => ((bloom[BYTES - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** The filter of logs. */
export function bloomOf(logs: Iterable<{ address: Uint8Array; topics: readonly Uint8Array[] }>): Uint8Array {
  const bloom = new Uint8Array(BYTES)
  for (const { address, topics } of logs)
    for (const value of [address, ...topics]) for (const bit of bloomBits(value)) setBit(bloom, bit)
  return bloom.reverse() // bit 0 is in the last byte
}
