// Header extension 2: the certificate that a Savanna block claims, and the policy changes that it proposes.

import { type BlockHeader, HEADER_EXTENSION } from '../antelope/block.ts'
import { Reader } from '../antelope/reader.ts'
import { Writer } from '../antelope/writer.ts'
import type { QcClaim } from './finality-core.ts'
import { type FinalizerPolicyDiff, readFinalizerPolicyDiff, writeFinalizerPolicyDiff } from './finalizer-policy.ts'

export interface FinalityExtension {
  claim: QcClaim
  finalizerPolicy: FinalizerPolicyDiff | null
  /** Packed `proposer_policy_diff`. */
  proposerPolicy: Uint8Array | null
}

/** Enough for an extension with only a claim. Buffers of up to 64 bytes are ten times as fast to allocate. */
const FIRST_SIZE = 16

/** Data of header extension 2. */
export function packFinalityExtension({ claim, finalizerPolicy, proposerPolicy }: FinalityExtension): Uint8Array {
  const writer = new Writer(FIRST_SIZE)
  writer.u32(claim.blockNum)
  writer.u8(claim.strong ? 1 : 0)
  writer.u8(finalizerPolicy ? 1 : 0)
  if (finalizerPolicy) writeFinalizerPolicyDiff(writer, finalizerPolicy)
  writer.u8(proposerPolicy ? 1 : 0)
  if (proposerPolicy) writer.bytes(proposerPolicy)
  return writer.finish()
}

function readFinalityExtension(data: Uint8Array): FinalityExtension {
  const reader = new Reader(data)
  const claim = { blockNum: reader.u32(), strong: reader.flag() }
  const finalizerPolicy = reader.flag() ? readFinalizerPolicyDiff(reader) : null
  const proposerPolicy = reader.flag() ? data.slice(reader.pos) : null
  return { claim, finalizerPolicy, proposerPolicy }
}

/** The extension of a header; null for a block before Savanna. */
export function finalityExtensionOf(header: BlockHeader): FinalityExtension | null {
  const extension = header.headerExtensions.find(({ id }) => id === HEADER_EXTENSION.finality)
  return extension ? readFinalityExtension(extension.data) : null
}
