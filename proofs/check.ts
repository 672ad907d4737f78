// Checks proofs in their published form. Shares no code with their builder: recomputes each hash from the JSON and
// verifies certificates with their weights and thresholds. Each function returns the first problem.

import { verifyVotes } from '../core/antelope/bls.ts'
import { type FinalizerPolicy, packFinalizerPolicy, readFinalizerPolicy } from '../core/antelope/finalizer-policy.ts'
import { nameToU64 } from '../core/antelope/name.ts'
import { Reader } from '../core/antelope/reader.ts'
import { Writer } from '../core/antelope/writer.ts'
import { DecodeError } from '../core/errors.ts'
import { fromHex, toHex } from '../core/hex.ts'
import { sha256 } from '../core/sha256.ts'
import { fromEip2537 } from './eip2537.ts'
import type { FinalityArguments, LearnArguments, ReleaseArguments, SubmitRootArguments } from './json.ts'

/** Expected content of a release. */
export interface Expected {
  ledger: { account: string; action: string; permission: string }
  /** 20 bytes. */
  vault: Uint8Array
  /** Root that the proof must lead to. */
  root: Uint8Array
}

/**
 * EVM chain ids are below this bound. Domains of Antelope chains, which use account names as addresses, are 8 bytes of
 * a hash.
 */
const ANTELOPE_DOMAINS = 2n ** 32n

const bytes = (text: string): Uint8Array => fromHex(text.slice(2))
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

function hash(write: (writer: Writer) => void): Uint8Array {
  const writer = new Writer()
  write(writer)
  return sha256(writer.finish())
}

/** The root of a leaf and its siblings; null when `path` has sides of missing siblings. */
function climb(leaf: Uint8Array, siblings: readonly string[], path: string): Uint8Array | null {
  let sides = BigInt(path)
  if (siblings.length > 64 || sides >> BigInt(siblings.length) !== 0n) return null
  let node = leaf
  for (const sibling of siblings) {
    node = (sides & 1n) === 1n ? sha256(bytes(sibling), node) : sha256(node, bytes(sibling))
    sides >>= 1n
  }
  return node
}

/** Digest of the action that the contract reconstructs from a proof's members. */
function burnDigest(release: ReleaseArguments, { ledger, vault }: Expected): Uint8Array {
  const data = new Writer()
  data.u64(BigInt(release.id))
  data.u64(BigInt(release.domain))
  for (const address of [vault, bytes(release.token), bytes(release.recipient)]) data.lengthBytes(address)
  for (const amount of [release.amount, release.deadline, release.fee]) data.u64(BigInt(amount))
  data.lengthBytes(bytes(release.memo))
  const [account, action, permission] = [ledger.account, ledger.action, ledger.permission].map(nameToU64)
  const base = hash((writer) => {
    writer.u64(account!)
    writer.u64(action!)
    writer.varuint32(1)
    writer.u64(account!)
    writer.u64(permission!)
  })
  const payload = hash((writer) => {
    writer.lengthBytes(data.finish())
    writer.lengthBytes(new Uint8Array())
  })
  return hash((writer) => {
    writer.u64(account!)
    writer.u64(BigInt(release.recvSequence))
    writer.u64(account!)
    writer.u64(action!)
    writer.bytes(sha256(base, payload))
    writer.bytes(bytes(release.witness))
  })
}

type LeafMembers = Pick<
  ReleaseArguments,
  'majorVersion' | 'minorVersion' | 'blockNum' | 'timestamp' | 'parentTimestamp' | 'actionMroot'
>

function leafOf(block: LeafMembers, finalityDigest: Uint8Array): Uint8Array {
  const { majorVersion, minorVersion, blockNum, timestamp, parentTimestamp, actionMroot } = block
  return hash((writer) => {
    for (const value of [majorVersion, minorVersion, blockNum, timestamp, parentTimestamp]) writer.u32(value)
    writer.bytes(finalityDigest)
    writer.bytes(bytes(actionMroot))
  })
}

/** The first problem of a release; null when it is valid. Hashing only: the caller must already trust the root. */
export function releaseProblem(release: ReleaseArguments, expected: Expected): string | null {
  const addresses = [release.token, release.recipient].every((member) => bytes(member).length === 20)
  if (!addresses && BigInt(release.domain) < ANTELOPE_DOMAINS) return 'not for an EVM chain'
  if (BigInt(release.fee) > BigInt(release.amount)) return 'the fee exceeds the amount'
  if (release.majorVersion !== 1 || release.minorVersion !== 0) return 'a version that is not known'
  const actions = climb(burnDigest(release, expected), release.actionSiblings, release.actionPath)
  if (!actions || !same(actions, bytes(release.actionMroot))) return 'the action is not in the block'
  const leaf = leafOf(release, bytes(release.finalityDigest))
  const root = climb(leaf, release.treeSiblings, release.treePath)
  if (!root || !same(root, bytes(release.finalityMroot))) return 'the block is not under the root'
  return same(root, expected.root) ? null : 'another root'
}

function level2(policyDigest: Uint8Array, start: number, level3: Uint8Array): Uint8Array {
  return hash((writer) => {
    writer.bytes(policyDigest)
    writer.u32(start)
    writer.bytes(level3)
  })
}

type Generations = Pick<
  FinalityArguments,
  'majorVersion' | 'minorVersion' | 'activeGeneration' | 'lastPendingGeneration'
>

function commitment(versions: Generations, mroot: Uint8Array, level2Digest: Uint8Array): Uint8Array {
  const { majorVersion, minorVersion, activeGeneration, lastPendingGeneration } = versions
  return hash((writer) => {
    for (const value of [majorVersion, minorVersion, activeGeneration, lastPendingGeneration]) writer.u32(value)
    writer.bytes(mroot)
    writer.bytes(level2Digest)
  })
}

/** The message that strong votes sign. */
function signedDigest(f: FinalityArguments): Uint8Array {
  const level3 = hash((writer) => {
    writer.bytes(bytes(f.reversibleBlocksMroot))
    writer.u32(f.qcClaimBlockNum)
    writer.bytes(bytes(f.qcClaimFinalityDigest))
    writer.u32(f.qcClaimTimestamp)
    writer.u32(f.timestamp)
    writer.bytes(bytes(f.baseDigest))
  })
  return commitment(
    f,
    bytes(f.finalityMroot),
    level2(bytes(f.lastPendingPolicyDigest), f.lastPendingPolicyStart, level3),
  )
}

/** The first problem of one policy's strong votes; null when they are valid. */
function votesProblem(
  { bits, signature }: { bits: string; signature: string },
  { finalizers, threshold }: FinalizerPolicy,
  message: Uint8Array,
): string | null {
  const sum = finalizers.reduce((total, { weight }) => total + weight, 0n)
  if (threshold > sum || threshold * 2n <= sum) return 'a threshold that is no quorum'
  const votes = bytes(bits)
  if (votes.length !== Math.ceil(finalizers.length / 8)) return 'bits of another number of finalizers'
  const voted = (i: number) => ((votes[i >> 3]! >> (i & 7)) & 1) === 1
  for (let i = finalizers.length; i < votes.length * 8; i++) if (voted(i)) return 'a vote of nobody'
  const voters = finalizers.filter((_, i) => voted(i))
  if (voters.reduce((total, { weight }) => total + weight, 0n) < threshold) return 'no quorum'
  if (bytes(signature).length !== 256) return 'a signature of another length'
  try {
    const publicKeys = voters.map(({ publicKey }) => publicKey)
    return verifyVotes([{ publicKeys, message }], fromEip2537(bytes(signature))) ? null : 'another signature'
  } catch (error) {
    if (error instanceof DecodeError) return `a signature that is no point: ${error.message}`
    throw error
  }
}

/**
 * The first problem of a root and its certificate; null when it is valid. Weak certificates fail: their strong votes
 * alone are no quorum, or their signature covers other messages.
 *
 * @param active  policy of `finality.activeGeneration`, already trusted
 */
export function rootProblem(submit: SubmitRootArguments, active: FinalizerPolicy): string | null {
  const { finality, pending } = submit
  if (finality.majorVersion !== 1 || finality.minorVersion !== 0) return 'a version that is not known'
  if (finality.activeGeneration !== active.generation) return 'another generation'
  if (/^0x0*$/.test(finality.finalityMroot)) return 'no root'
  const keys = Buffer.concat(submit.policyKeys.map(bytes))
  const expected = Buffer.concat(active.finalizers.map(({ publicKey }) => publicKey))
  if (keys.length !== active.finalizers.length * 128 || !same(fromEip2537(keys), expected)) return 'other keys'
  const message = signedDigest(finality)
  const problem = votesProblem(submit, active, message)
  if (problem !== null) return problem
  if (finality.lastPendingGeneration === finality.activeGeneration) {
    return Object.values(pending).every((member) => member === '0x') ? null : 'a pending policy where there is none'
  }
  if (!same(sha256(bytes(pending.policy)), bytes(finality.lastPendingPolicyDigest))) return 'another pending policy'
  const policy = readFinalizerPolicy(new Reader(bytes(pending.policy)))
  if (policy.generation !== finality.lastPendingGeneration) return 'another pending generation'
  const inPending = votesProblem(pending, policy, message)
  return inPending && `pending policy: ${inPending}`
}

/** The first problem of a policy hand-off; null when it is valid. The caller must already trust the root. */
export function learnProblem(learn: LearnArguments): string | null {
  if (learn.majorVersion !== 1 || learn.minorVersion !== 0) return 'a version that is not known'
  const policy = readFinalizerPolicy(new Reader(bytes(learn.policy)))
  if (toHex(packFinalizerPolicy(policy)) !== learn.policy.slice(2)) return 'bytes behind the policy'
  if (policy.generation !== learn.lastPendingGeneration) return 'another generation'
  const second = level2(sha256(bytes(learn.policy)), learn.lastPendingPolicyStart, bytes(learn.level3Digest))
  const leaf = leafOf(learn, commitment(learn, bytes(learn.blockFinalityMroot), second))
  const root = climb(leaf, learn.treeSiblings, learn.treePath)
  return root && same(root, bytes(learn.finalityMroot)) ? null : 'the block is not under the root'
}
