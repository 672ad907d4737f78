// Finalizer policies of Savanna: the finalizers with their weights, and how headers encode changes.

import type { Reader } from '../antelope/reader.ts'
import { Writer } from '../antelope/writer.ts'
import { sha256 } from '../sha256.ts'

export interface Finalizer {
  description: string
  weight: bigint
  /** 96 bytes, affine, little-endian (`bls.ts`). */
  publicKey: Uint8Array
}

export interface FinalizerPolicy {
  /** Increases with every policy; numbers may be skipped. The genesis policy has 1. */
  generation: number
  /** Weight of a quorum: more than half of the total. */
  threshold: bigint
  finalizers: readonly Finalizer[]
}

/** Change from one policy to the next, as in a header's finality extension. */
export interface FinalizerPolicyDiff {
  generation: number
  threshold: bigint
  /** Ascending. Each index refers to the list after the preceding removals. */
  removeIndexes: readonly number[]
  /** Ascending, with indexes in the final list. */
  insertIndexes: readonly (readonly [index: number, finalizer: Finalizer])[]
}

function writeFinalizer(writer: Writer, { description, weight, publicKey }: Finalizer): void {
  writer.string(description)
  writer.u64(weight)
  writer.lengthBytes(publicKey)
}

function readFinalizer(reader: Reader): Finalizer {
  return { description: reader.string(), weight: reader.u64(), publicKey: reader.lengthBytes() }
}

/** Packed format that digests commit to. */
export function packFinalizerPolicy(policy: FinalizerPolicy): Uint8Array {
  const writer = new Writer()
  writer.u32(policy.generation)
  writer.u64(policy.threshold)
  writer.varuint32(policy.finalizers.length)
  for (const finalizer of policy.finalizers) writeFinalizer(writer, finalizer)
  return writer.finish()
}

export function readFinalizerPolicy(reader: Reader): FinalizerPolicy {
  const generation = reader.u32()
  const threshold = reader.u64()
  const finalizers = Array.from({ length: reader.varuint32() }, () => readFinalizer(reader))
  return { generation, threshold, finalizers }
}

/** SHA-256 of the packed policy: `lastPendingPolicyDigest` of the finality digest. */
export function finalizerPolicyDigest(policy: FinalizerPolicy): Uint8Array {
  return sha256(packFinalizerPolicy(policy))
}

const same = (a: Finalizer, b: Finalizer): boolean =>
  a.description === b.description && a.weight === b.weight && Buffer.compare(a.publicKey, b.publicKey) === 0

/**
 * The shortest change from one policy to another: finalizers common to both, in the same order, remain.
 *
 * @param from  null for the genesis policy
 */
export function diffFinalizerPolicies(from: FinalizerPolicy | null, to: FinalizerPolicy): FinalizerPolicyDiff {
  const before = from?.finalizers ?? []
  const after = to.finalizers
  const common = commonLengths(before, after)
  const removeIndexes: number[] = []
  const insertIndexes: [number, Finalizer][] = []
  let i = 0
  let j = 0
  for (;;) {
    const [removed, inserted] = [before[i], after[j]]
    if (removed && inserted && same(removed, inserted)) {
      i++
      j++
    } else if (removed && (!inserted || common(i + 1, j) >= common(i, j + 1))) {
      removeIndexes.push(i - removeIndexes.length)
      i++
    } else if (inserted) {
      insertIndexes.push([j, inserted])
      j++
    } else return { generation: to.generation, threshold: to.threshold, removeIndexes, insertIndexes }
  }
}

/** Length of the longest common subsequence of before[i..] and after[j..]. */
function commonLengths(before: readonly Finalizer[], after: readonly Finalizer[]): (i: number, j: number) => number {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (const [i, a] of [...before.entries()].reverse())
    for (const [j, b] of [...after.entries()].reverse())
      lengths[i * width + j] = same(a, b) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  return at
}

/** @throws RangeError when an index is outside the list */
export function applyFinalizerPolicyDiff(from: FinalizerPolicy | null, diff: FinalizerPolicyDiff): FinalizerPolicy {
  const finalizers = [...(from?.finalizers ?? [])]
  for (const index of diff.removeIndexes) {
    if (index >= finalizers.length) throw new RangeError(`no finalizer ${index} to remove`)
    finalizers.splice(index, 1)
  }
  for (const [index, finalizer] of diff.insertIndexes) {
    if (index > finalizers.length) throw new RangeError(`no place ${index} for a finalizer`)
    finalizers.splice(index, 0, finalizer)
  }
  return { generation: diff.generation, threshold: diff.threshold, finalizers }
}

export function writeFinalizerPolicyDiff(writer: Writer, diff: FinalizerPolicyDiff): void {
  writer.u32(diff.generation)
  writer.u64(diff.threshold)
  writer.varuint32(diff.removeIndexes.length)
  for (const index of diff.removeIndexes) writer.u16(index)
  writer.varuint32(diff.insertIndexes.length)
  for (const [index, finalizer] of diff.insertIndexes) {
    writer.u16(index)
    writeFinalizer(writer, finalizer)
  }
}

export function readFinalizerPolicyDiff(reader: Reader): FinalizerPolicyDiff {
  const generation = reader.u32()
  const threshold = reader.u64()
  const removeIndexes = Array.from({ length: reader.varuint32() }, () => reader.u16())
  const insertIndexes = Array.from({ length: reader.varuint32() }, (): [number, Finalizer] => [
    reader.u16(),
    readFinalizer(reader),
  ])
  return { generation, threshold, removeIndexes, insertIndexes }
}
