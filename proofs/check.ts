// Checks proofs in their published form. Shares no code with their builder: recomputes each hash from the JSON and
// verifies certificates with their weights and thresholds. Each function returns the first problem.

import { verifyVotes } from '../core/antelope/bls.ts'
import { Reader } from '../core/antelope/reader.ts'
import { Writer } from '../core/antelope/writer.ts'
import { isEvmDomain } from '../core/chains.ts'
import { DecodeError } from '../core/errors.ts'
import { type FinalizerPolicy, packFinalizerPolicy, readFinalizerPolicy } from '../core/finality/finalizer-policy.ts'
import {
  actionHash,
  bytesOf,
  climb,
  commitmentHash,
  isKnownVersion,
  leafHash,
  level2Hash,
  signedHash,
  votersOf,
} from '../core/finality/recompute.ts'
import { toHex } from '../core/hex.ts'
import { sha256 } from '../core/sha256.ts'
import { fromEip2537 } from './eip2537.ts'
import type { LearnArguments, ReleaseArguments, SubmitRootArguments } from './json.ts'

/** Expected content of a release. */
export interface Expected {
  ledger: { account: string; action: string; permission: string }
  /** 20 bytes. */
  vault: Uint8Array
  /** Root that the proof must lead to. */
  root: Uint8Array
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Digest of the action that the contract reconstructs from a proof's members. */
function burnDigest(release: ReleaseArguments, { ledger, vault }: Expected): Uint8Array {
  const data = new Writer()
  data.u64(BigInt(release.id))
  data.u64(BigInt(release.domain))
  for (const address of [vault, bytesOf(release.token), bytesOf(release.recipient)]) data.lengthBytes(address)
  for (const amount of [release.amount, release.deadline, release.fee]) data.u64(BigInt(amount))
  data.lengthBytes(bytesOf(release.memo))
  const { recvSequence, witness } = release
  return actionHash(ledger, { data: data.finish(), recvSequence: BigInt(recvSequence), witness })
}

/** The first problem of a release; null when it is valid. Hashing only: the caller must already trust the root. */
export function releaseProblem(release: ReleaseArguments, expected: Expected): string | null {
  const addresses = [release.token, release.recipient].every((member) => bytesOf(member).length === 20)
  if (!addresses && isEvmDomain(BigInt(release.domain))) return 'not for an EVM chain'
  if (BigInt(release.fee) > BigInt(release.amount)) return 'the fee exceeds the amount'
  if (!isKnownVersion(release)) return 'a version that is not known'
  const actions = climb(burnDigest(release, expected), release.actionSiblings, BigInt(release.actionPath))
  if (!actions || !same(actions, bytesOf(release.actionMroot))) return 'the action is not in the block'
  const leaf = leafHash(release, bytesOf(release.finalityDigest))
  const root = climb(leaf, release.treeSiblings, BigInt(release.treePath))
  if (!root || !same(root, bytesOf(release.finalityMroot))) return 'the block is not under the root'
  return same(root, expected.root) ? null : 'another root'
}

/** The first problem of one policy's strong votes; null when they are valid. */
function votesProblem(
  { bits, signature }: { bits: string; signature: string },
  policy: FinalizerPolicy,
  message: Uint8Array,
): string | null {
  const voters = votersOf(bytesOf(bits), policy)
  if (typeof voters === 'string') return voters
  if (bytesOf(signature).length !== 256) return 'a signature of another length'
  try {
    const publicKeys = voters.map(({ publicKey }) => publicKey)
    return verifyVotes([{ publicKeys, message }], fromEip2537(bytesOf(signature))) ? null : 'another signature'
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
  if (!isKnownVersion(finality)) return 'a version that is not known'
  if (finality.activeGeneration !== active.generation) return 'another generation'
  if (/^0x0*$/.test(finality.finalityMroot)) return 'no root'
  const keys = Buffer.concat(submit.policyKeys.map(bytesOf))
  const expected = Buffer.concat(active.finalizers.map(({ publicKey }) => publicKey))
  if (keys.length !== active.finalizers.length * 128 || !same(fromEip2537(keys), expected)) return 'other keys'
  const message = signedHash(finality)
  const problem = votesProblem(submit, active, message)
  if (problem !== null) return problem
  if (finality.lastPendingGeneration === finality.activeGeneration) {
    return Object.values(pending).every((member) => member === '0x')
      ? null
      : 'a pending policy although no policy is pending'
  }
  if (!same(sha256(bytesOf(pending.policy)), bytesOf(finality.lastPendingPolicyDigest))) return 'another pending policy'
  const policy = readFinalizerPolicy(new Reader(bytesOf(pending.policy)))
  if (policy.generation !== finality.lastPendingGeneration) return 'another pending generation'
  const inPending = votesProblem(pending, policy, message)
  return inPending && `pending policy: ${inPending}`
}

/** The first problem of a policy hand-off; null when it is valid. The caller must already trust the root. */
export function learnProblem(learn: LearnArguments): string | null {
  if (!isKnownVersion(learn)) return 'a version that is not known'
  const policy = readFinalizerPolicy(new Reader(bytesOf(learn.policy)))
  if (toHex(packFinalizerPolicy(policy)) !== learn.policy.slice(2)) return 'bytes after the policy'
  if (policy.generation !== learn.lastPendingGeneration) return 'another generation'
  const second = level2Hash(sha256(bytesOf(learn.policy)), learn.lastPendingPolicyStart, bytesOf(learn.level3Digest))
  const leaf = leafHash(learn, commitmentHash(learn, learn.blockFinalityMroot, second))
  const root = climb(leaf, learn.treeSiblings, BigInt(learn.treePath))
  return root && same(root, bytesOf(learn.finalityMroot)) ? null : 'the block is not under the root'
}
