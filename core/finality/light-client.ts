// A gateway's checks of a Savanna chain: finalizers' votes on a root of the finality tree, the hand-off of a policy
// under a root, an action in a block under a root. Pure: the caller stores what is trusted. Structs are those of
// abis/gateway.antelope.abi.json; hashes are 64 hex digits, times are slots.

import { verifyVotes } from '../antelope/bls.ts'
import { Reader } from '../antelope/reader.ts'
import { DecodeError } from '../errors.ts'
import { fromHex, toHex } from '../hex.ts'
import { required } from '../required.ts'
import { sha256 } from '../sha256.ts'
import { type FinalizerPolicy, packFinalizerPolicy, readFinalizerPolicy } from './finalizer-policy.ts'
import {
  actionHash,
  climb,
  commitmentHash,
  type FinalityMembers,
  isKnownVersion,
  type LeafMembers,
  leafHash,
  level2Hash,
  signedHash,
  votersOf,
} from './recompute.ts'

interface Votes {
  bits: Uint8Array
  signature: Uint8Array
}

/** Finality data of a block with its certificate: makes `finality.finalityMroot` a trusted root. */
export interface CertifiedRoot {
  finality: FinalityMembers
  active: Votes
  pending: (Votes & { policy: Uint8Array }) | null
}

interface TreeWay {
  treeSiblings: string[]
  treePath: bigint
  finalityMroot: string
}

/** A block in which a policy became pending, with its path to a root. */
export interface Handoff extends LeafMembers, TreeWay {
  activeGeneration: number
  lastPendingGeneration: number
  blockFinalityMroot: string
  lastPendingPolicyStart: number
  level3Digest: string
  policy: Uint8Array
}

/** An action of a block, with its path to a root. */
export interface SavannaProof extends LeafMembers, TreeWay {
  data: Uint8Array
  recvSequence: bigint
  witness: string
  actionSiblings: string[]
  actionPath: bigint
  finalityDigest: string
}

/** Whether a root is trusted. */
export type IsTrustedRoot = (root: string) => boolean

/**
 * Checks the votes for the root `finality.finalityMroot`.
 *
 * @param policyOf  returns the trusted policy of a generation
 * @throws DecodeError SAVANNA_PROOF, INVALID_BLS_POINT
 */
export function checkCertifiedRoot(
  { finality, active, pending }: CertifiedRoot,
  policyOf: (generation: number) => FinalizerPolicy | undefined,
): void {
  refuseIf(!isKnownVersion(finality), 'a version that is not known')
  refuseIf(/^0*$/.test(finality.finalityMroot), 'no root')
  const policy = policyOf(finality.activeGeneration)
  if (!policy) throw refused(`policy ${finality.activeGeneration} is not known`)
  const message = signedHash(finality)
  checkVotes(active, policy, message)
  if (finality.lastPendingGeneration === finality.activeGeneration) {
    refuseIf(pending !== null, 'a pending policy too many')
    return
  }
  if (pending === null) throw refused('no votes of the pending policy')
  refuseIf(toHex(sha256(pending.policy)) !== finality.lastPendingPolicyDigest, 'another pending policy')
  const next = readFinalizerPolicy(new Reader(pending.policy))
  refuseIf(next.generation !== finality.lastPendingGeneration, 'another pending generation')
  checkVotes(pending, next, message)
}

/** The policy of a valid hand-off. @throws DecodeError SAVANNA_PROOF */
export function handedOver(handoff: Handoff, isTrusted: IsTrustedRoot): FinalizerPolicy {
  const policy = readFinalizerPolicy(new Reader(handoff.policy))
  refuseIf(toHex(packFinalizerPolicy(policy)) !== toHex(handoff.policy), 'bytes after the policy')
  refuseIf(policy.generation !== handoff.lastPendingGeneration, 'another generation')
  const level2 = level2Hash(sha256(handoff.policy), handoff.lastPendingPolicyStart, fromHex(handoff.level3Digest))
  checkLeaf(handoff, commitmentHash(handoff, handoff.blockFinalityMroot, level2), isTrusted)
  return policy
}

/**
 * Checks that an action is in a block under a trusted root. Its data are the proof's. It must be authorized only by
 * `active` of its account and return nothing.
 *
 * @throws DecodeError SAVANNA_PROOF
 */
export function checkAction(
  proof: SavannaProof,
  action: { account: string; name: string },
  isTrusted: IsTrustedRoot,
): void {
  const digest = actionHash({ account: action.account, action: action.name, permission: 'active' }, proof)
  const root = rootOf(digest, proof.actionSiblings, proof.actionPath)
  refuseIf(root !== proof.actionMroot, 'the action is not in the block')
  checkLeaf(proof, fromHex(proof.finalityDigest), isTrusted)
}

function checkLeaf(leaf: LeafMembers & TreeWay, finalityDigest: Uint8Array, isTrusted: IsTrustedRoot): void {
  refuseIf(!isKnownVersion(leaf), 'a version that is not known')
  const root = rootOf(leafHash(leaf, finalityDigest), leaf.treeSiblings, leaf.treePath)
  refuseIf(root !== leaf.finalityMroot, 'the block is not under the root')
  refuseIf(!isTrusted(root), 'the root is not trusted')
}

/** The root of a leaf and its siblings, hex digits. */
function rootOf(leaf: Uint8Array, siblings: readonly string[], path: bigint): string {
  const root = climb(leaf, siblings, path)
  if (!root) throw refused('sides of siblings that are not there')
  return toHex(root)
}

/** Cache of verified votes: pairings take tens of milliseconds, and the same lists are requested repeatedly. */
const verified = new Set<string>()
const MAX_VERIFIED = 10_000

function checkVotes({ bits, signature }: Votes, policy: FinalizerPolicy, message: Uint8Array): void {
  const voters = votersOf(bits, policy)
  if (typeof voters === 'string') throw refused(voters)
  const publicKeys = voters.map(({ publicKey }) => publicKey)
  const key = toHex(sha256(message, signature, ...publicKeys))
  if (verified.has(key)) return
  refuseIf(!verifyVotes([{ publicKeys, message }], signature), 'another signature')
  verified.add(key)
  if (verified.size > MAX_VERIFIED) verified.delete(required(verified.values().next().value, 'oldest entry'))
}

function refuseIf(is: boolean, what: string): void {
  if (is) throw refused(what)
}

function refused(what: string): DecodeError {
  return new DecodeError('SAVANNA_PROOF', `the proof does not hold: ${what}`, {
    hint: 'fetch the proof again; a policy that is not known has to be learned first',
  })
}
