// Block producers of a devnet: each takes twelve slots in schedule order.

import { Writer } from '../../core/antelope/writer.ts'
import { itemAt } from '../../core/required.ts'
import { sha256 } from '../../core/sha256.ts'

const TURN = 12

export interface Producers {
  names: readonly string[]
  /** Packed `proposer_policy`, covered by base digests. */
  packed: Uint8Array
  /** Producer of a slot. */
  at(slot: number): string
}

/** @param names at least one, in schedule order */
export function makeProducers(names: readonly string[], seed: string): Producers {
  const writer = new Writer()
  writer.u32(0) // proposal_time
  writer.u32(1) // version of the schedule
  writer.varuint32(names.length)
  for (const name of names) {
    writer.name(name)
    writer.varuint32(0) // block_signing_authority_v0
    writer.u32(1) // threshold
    writer.varuint32(1)
    writer.u8(0) // K1
    writer.u8(2)
    writer.bytes(sha256(Buffer.from(`${seed}/producer/${name}`)))
    writer.u16(1) // weight
  }
  return { names, packed: writer.finish(), at: (slot) => producerAt(names, slot) }
}

/** Producer of a slot in a schedule. */
export const producerAt = (names: readonly string[], slot: number): string =>
  itemAt(names, Math.floor(slot / TURN) % names.length)
