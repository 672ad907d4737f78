// Recomputes the hashes of Savanna proofs from their published members, as contracts do. Shares no code with what builds
// proofs. Hashes and bytes are hex digits, with or without 0x; times are slots.
import { nameToU64 } from '../antelope/name.ts'
import { Writer } from '../antelope/writer.ts'
import { fromHex } from '../hex.ts'
import { sha256 } from '../sha256.ts'
import type { Finalizer, FinalizerPolicy } from './finalizer-policy.ts'

export interface Generations {
  majorVersion: number
  minorVersion: number
  activeGeneration: number
  lastPendingGeneration: number
}

/** Content that strong votes for a block sign. */
export interface FinalityMembers extends Generations {
  finalityMroot: string
  lastPendingPolicyDigest: string
  lastPendingPolicyStart: number
  reversibleBlocksMroot: string
  qcClaimBlockNum: number
  qcClaimFinalityDigest: string
  qcClaimTimestamp: number
  timestamp: number
  baseDigest: string
}

/** Content of a leaf of the finality tree, without the finality digest. */
export interface LeafMembers {
  majorVersion: number
  minorVersion: number
  blockNum: number
  timestamp: number
  parentTimestamp: number
  actionMroot: string
}

export const bytesOf = (text: string): Uint8Array => fromHex(text.startsWith('0x') ? text.slice(2) : text)

export const isKnownVersion = ({ majorVersion, minorVersion }: Pick<Generations, 'majorVersion' | 'minorVersion'>) =>
  majorVersion === 1 && minorVersion === 0

function hashOf(write: (writer: Writer) => void): Uint8Array {
  const writer = new Writer()
  write(writer)
  return sha256(writer.finish())
}

/** The root of a leaf and its siblings; null when `path` has sides of missing siblings. */
export function climb(leaf: Uint8Array, siblings: readonly string[], path: bigint): Uint8Array | null {
  if (siblings.length > 64 || path >> BigInt(siblings.length) !== 0n) return null
  return siblings.reduce((node, text, k) => {
    const sibling = bytesOf(text)
    return ((path >> BigInt(k)) & 1n) === 1n ? sha256(sibling, node) : sha256(node, sibling)
  }, leaf)
}

/** Digest of an action whose receiver and only authorizer are `account`, with `permission`, without a return value. */
export function actionHash(
  { account, action, permission }: { account: string; action: string; permission: string },
  { data, recvSequence, witness }: { data: Uint8Array; recvSequence: bigint; witness: string },
): Uint8Array {
  const [owner, name, level] = [nameToU64(account), nameToU64(action), nameToU64(permission)]
  const base = hashOf((writer) => {
    writer.u64(owner)
    writer.u64(name)
    writer.varuint32(1)
    writer.u64(owner)
    writer.u64(level)
  })
  const payload = hashOf((writer) => {
    writer.lengthBytes(data)
    writer.lengthBytes(new Uint8Array())
  })
  return hashOf((writer) => {
    writer.u64(owner)
    writer.u64(recvSequence)
    writer.u64(owner)
    writer.u64(name)
    writer.bytes(sha256(base, payload))
    writer.bytes(bytesOf(witness))
  })
}

export function leafHash(leaf: LeafMembers, finalityDigest: Uint8Array): Uint8Array {
  const { majorVersion, minorVersion, blockNum, timestamp, parentTimestamp, actionMroot } = leaf
  return hashOf((writer) => {
    for (const value of [majorVersion, minorVersion, blockNum, timestamp, parentTimestamp]) writer.u32(value)
    writer.bytes(finalityDigest)
    writer.bytes(bytesOf(actionMroot))
  })
}

export function level2Hash(policyDigest: Uint8Array, start: number, level3: Uint8Array): Uint8Array {
  return hashOf((writer) => {
    writer.bytes(policyDigest)
    writer.u32(start)
    writer.bytes(level3)
  })
}

/** The finality digest. */
export function commitmentHash(generations: Generations, mroot: string, level2: Uint8Array): Uint8Array {
  const { majorVersion, minorVersion, activeGeneration, lastPendingGeneration } = generations
  return hashOf((writer) => {
    for (const value of [majorVersion, minorVersion, activeGeneration, lastPendingGeneration]) writer.u32(value)
    writer.bytes(bytesOf(mroot))
    writer.bytes(level2)
  })
}

/** The message that strong votes sign. */
export function signedHash(f: FinalityMembers): Uint8Array {
  const level3 = hashOf((writer) => {
    writer.bytes(bytesOf(f.reversibleBlocksMroot))
    writer.u32(f.qcClaimBlockNum)
    writer.bytes(bytesOf(f.qcClaimFinalityDigest))
    writer.u32(f.qcClaimTimestamp)
    writer.u32(f.timestamp)
    writer.bytes(bytesOf(f.baseDigest))
  })
  const level2 = level2Hash(bytesOf(f.lastPendingPolicyDigest), f.lastPendingPolicyStart, level3)
  return commitmentHash(f, f.finalityMroot, level2)
}

/** The finalizers that voted; a text that names the problem when they are no quorum. */
export function votersOf(bits: Uint8Array, { finalizers, threshold }: FinalizerPolicy): Finalizer[] | string {
  const weightOf = (some: readonly Finalizer[]) => some.reduce((total, { weight }) => total + weight, 0n)
  const sum = weightOf(finalizers)
  if (threshold > sum || threshold * 2n <= sum) return 'a threshold that is no quorum'
  if (bits.length !== Math.ceil(finalizers.length / 8)) return 'bits of another number of finalizers'
  const voted = (i: number) => (((bits[i >> 3] ?? 0) >> (i & 7)) & 1) === 1
  for (let i = finalizers.length; i < bits.length * 8; i++) if (voted(i)) return 'a vote without a finalizer'
  const voters = finalizers.filter((_, i) => voted(i))
  return weightOf(voters) < threshold ? 'no quorum' : voters
}
