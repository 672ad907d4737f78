// `finality_data` of state history: the inputs of a block's finality digest that its header lacks.

import { blsPublicKeyText } from '../antelope/bls-text.ts'
import { Reader } from '../antelope/reader.ts'
import { Writer } from '../antelope/writer.ts'
import type { FinalizerPolicy } from './finalizer-policy.ts'

export interface FinalityData {
  major: number
  minor: number
  activeGeneration: number
  /** Savanna root of the block's own actions. Differs from the header's `action_mroot`. */
  actionMroot: Uint8Array
  reversibleBlocksMroot: Uint8Array
  claimBlockNum: number
  /** Finality digest of the claimed block; zeros in the genesis block. */
  claimFinalityDigest: Uint8Array
  /** Slot. */
  claimTimestamp: number
  baseDigest: Uint8Array
  /** Present only in the block in which a policy becomes pending, and in the genesis block. */
  pendingPolicy: FinalizerPolicy | null
  lastPendingGeneration: number
}

export function packFinalityData(data: FinalityData): Uint8Array {
  const writer = new Writer()
  writer.u32(data.major)
  writer.u32(data.minor)
  writer.u32(data.activeGeneration)
  writer.bytes(data.actionMroot)
  writer.bytes(data.reversibleBlocksMroot)
  writer.u32(data.claimBlockNum)
  writer.bytes(data.claimFinalityDigest)
  writer.u32(data.claimTimestamp)
  writer.bytes(data.baseDigest)
  writer.u8(data.pendingPolicy ? 1 : 0)
  if (data.pendingPolicy) {
    writer.u32(data.pendingPolicy.generation)
    writer.u64(data.pendingPolicy.threshold)
    writer.varuint32(data.pendingPolicy.finalizers.length)
    for (const { description, weight, publicKey } of data.pendingPolicy.finalizers) {
      writer.string(description)
      writer.u64(weight)
      writer.string(blsPublicKeyText.encode(publicKey))
    }
  }
  writer.u32(data.lastPendingGeneration)
  return writer.finish()
}

function readPolicy(reader: Reader): FinalizerPolicy {
  const generation = reader.u32()
  const threshold = reader.u64()
  const finalizers = Array.from({ length: reader.varuint32() }, () => ({
    description: reader.string(),
    weight: reader.u64(),
    publicKey: blsPublicKeyText.decode(reader.string()),
  }))
  return { generation, threshold, finalizers }
}

/**
 * @throws DecodeError when the bytes end too early
 * @throws UserError INVALID_BLS_TEXT for a malformed key
 */
export function readFinalityData(bytes: Uint8Array): FinalityData {
  const reader = new Reader(bytes)
  return {
    major: reader.u32(),
    minor: reader.u32(),
    activeGeneration: reader.u32(),
    actionMroot: reader.bytes(32),
    reversibleBlocksMroot: reader.bytes(32),
    claimBlockNum: reader.u32(),
    claimFinalityDigest: reader.bytes(32),
    claimTimestamp: reader.u32(),
    baseDigest: reader.bytes(32),
    pendingPolicy: reader.flag() ? readPolicy(reader) : null,
    lastPendingGeneration: reader.u32(),
  }
}
