// The streams of headers, certificates and finality data. A flag for each value says whether the blocks before give it
// (`HeaderContext`); then it is not stored.
import { type Extension, HEADER_EXTENSION } from '../../core/antelope/block.ts'
import { Reader } from '../../core/antelope/reader.ts'
import { Writer } from '../../core/antelope/writer.ts'
import type { FinalityData } from '../../core/finality/finality-data.ts'
import { packFinalityExtension } from '../../core/finality/finality-extension.ts'
import type { Tracked } from '../../core/finality/track.ts'
import type { HeaderBlock } from './header-context.ts'

/** Places of the streams. `raw` has whole blocks that are written in an uncommon way. */
export const AT = { flags: 0, numbers: 1, hashes: 2, names: 3, bytes: 4, certificates: 5, raw: 6 } as const
export const HEADER_STREAMS = 7

export const FLAG = {
  raw: 1,
  linked: 1 << 1,
  noTransactions: 1 << 2,
  treeRoot: 1 << 3,
  sameProducer: 1 << 4,
  sameVersion: 1 << 5,
  claim: 1 << 6,
  strong: 1 << 7,
  unsigned: 1 << 8,
  certificate: 1 << 9,
  noExtension: 1 << 10,
  finality: 1 << 11,
  plainFinality: 1 << 12,
  sameGenerations: 1 << 13,
  reversible: 1 << 14,
  claimed: 1 << 15,
} as const

/** The signature of blocks under Savanna, where certificates count: a type and zeros. */
export const NO_SIGNATURE: Uint8Array = new Uint8Array(66)

/** A packed `signed_block` without transactions, and packed finality data. */
export interface PackedHeader {
  readonly block: Uint8Array
  readonly finality: Uint8Array | null
}

/** A block with its finality while this is followed. */
export interface TrackedHeader extends HeaderBlock {
  tracked: Tracked | null
}

export const has = (flags: number, flag: number): boolean => (flags & flag) > 0

/** A claim of a header. */
export interface Claim {
  num: number
  strong: boolean
}

/** The claim of a list of extensions that has nothing else; null for any other list. */
export function claimOf(extensions: readonly Extension[]): Claim | null {
  const [first] = extensions
  if (extensions.length !== 1 || first?.id !== HEADER_EXTENSION.finality || first.data.length !== 7) return null
  const reader = new Reader(first.data)
  const [num, strong] = [reader.u32(), reader.u8()]
  // Neither a finalizer policy nor a proposer policy follows.
  return strong <= 1 && reader.u8() === 0 && reader.u8() === 0 ? { num, strong: strong === 1 } : null
}

/** The extensions of a header that has only a claim. */
export function extensionsOf({ num, strong }: Claim): Extension[] {
  const claim = { blockNum: num, strong }
  const data = packFinalityExtension({ claim, finalizerPolicy: null, proposerPolicy: null })
  return [{ id: HEADER_EXTENSION.finality, data }]
}

export function packExtensions(extensions: readonly Extension[]): Uint8Array {
  const writer = new Writer()
  for (const { id, data } of extensions) {
    writer.u16(id)
    writer.lengthBytes(data)
  }
  return writer.finish()
}

/** @throws DecodeError */
export function readExtensions(bytes: Uint8Array): Extension[] {
  const reader = new Reader(bytes)
  const extensions: Extension[] = []
  while (reader.remaining > 0) extensions.push({ id: reader.u16(), data: reader.lengthBytes() })
  return extensions
}

export type Generations = Pick<FinalityData, 'major' | 'minor' | 'activeGeneration' | 'lastPendingGeneration'>
