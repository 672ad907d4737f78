// A gateway's checks of a Savanna chain: finalizers' votes on a root of the finality tree, the hand-off of a policy
// under a root, an action in a block under a root. Pure: the caller stores what is trusted. Structs are those of
// abis/gateway.antelope.abi.json; hashes are 64 hex digits, times are slots.
import { verifyVotes } from '../antelope/bls.ts'
import { type FinalizerPolicy, packFinalizerPolicy, readFinalizerPolicy } from '../antelope/finalizer-policy.ts'
import { nameToU64 } from '../antelope/name.ts'
import { Reader } from '../antelope/reader.ts'
import { Writer } from '../antelope/writer.ts'
import { DecodeError } from '../errors.ts'
import { fromHex, toHex } from '../hex.ts'
import { sha256 } from '../sha256.ts'

interface Finality {
  majorVersion: number
  minorVersion: number
  activeGeneration: number
  lastPendingGeneration: number
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

interface Votes {
  bits: Uint8Array
  signature: Uint8Array
}

/** Finality data of a block with its certificate: makes `finality.finalityMroot` a trusted root. */
export interface CertifiedRoot {
  finality: Finality
  active: Votes
  pending: (Votes & { policy: Uint8Array }) | null
}

interface Leaf {
  majorVersion: number
  minorVersion: number
  blockNum: number
  timestamp: number
  parentTimestamp: number
  actionMroot: string
}

interface TreeWay {
  treeSiblings: string[]
  treePath: bigint
  finalityMroot: string
}

/** A block in which a policy became pending, with its path to a root. */
export interface Handoff extends Leaf, TreeWay {
  activeGeneration: number
  lastPendingGeneration: number
  blockFinalityMroot: string
  lastPendingPolicyStart: number
  level3Digest: string
  policy: Uint8Array
}

/** An action of a block, with its path to a root. */
export interface SavannaProof extends Leaf, TreeWay {
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
  refuseIf(finality.majorVersion !== 1 || finality.minorVersion !== 0, 'a version that is not known')
  refuseIf(/^0*$/.test(finality.finalityMroot), 'no root')
  const policy = policyOf(finality.activeGeneration)
  if (!policy) throw refused(`policy ${finality.activeGeneration} is not known`)
  const message = signedDigest(finality)
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
  refuseIf(toHex(packFinalizerPolicy(policy)) !== toHex(handoff.policy), 'bytes behind the policy')
  refuseIf(policy.generation !== handoff.lastPendingGeneration, 'another generation')
  const { lastPendingPolicyStart: start, level3Digest } = handoff
  const second = level2(toHex(sha256(handoff.policy)), start, fromHex(level3Digest))
  checkLeaf(handoff, commitment(handoff, handoff.blockFinalityMroot, second), isTrusted)
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
  const root = climb(actionDigest(proof, action), proof.actionSiblings, proof.actionPath)
  refuseIf(root !== proof.actionMroot, 'the action is not in the block')
  checkLeaf(proof, fromHex(proof.finalityDigest), isTrusted)
}

function checkLeaf(leaf: Leaf & TreeWay, finalityDigest: Uint8Array, isTrusted: IsTrustedRoot): void {
  refuseIf(leaf.majorVersion !== 1 || leaf.minorVersion !== 0, 'a version that is not known')
  const hash = hashOf((writer) => {
    const { majorVersion, minorVersion, blockNum, timestamp, parentTimestamp } = leaf
    for (const value of [majorVersion, minorVersion, blockNum, timestamp, parentTimestamp]) writer.u32(value)
    writer.bytes(finalityDigest)
    writer.checksum256(leaf.actionMroot)
  })
  const root = climb(hash, leaf.treeSiblings, leaf.treePath)
  refuseIf(root !== leaf.finalityMroot, 'the block is not under the root')
  refuseIf(!isTrusted(root), 'the root is not trusted')
}

/** Digest of the action that the contract reconstructs. */
function actionDigest(
  { data, recvSequence, witness }: SavannaProof,
  { account, name }: { account: string; name: string },
): Uint8Array {
  const [owner, action, permission] = [account, name, 'active'].map(nameToU64)
  const base = hashOf((writer) => {
    writer.u64(owner!)
    writer.u64(action!)
    writer.varuint32(1)
    writer.u64(owner!)
    writer.u64(permission!)
  })
  const payload = hashOf((writer) => {
    writer.lengthBytes(data)
    writer.lengthBytes(new Uint8Array())
  })
  return hashOf((writer) => {
    writer.u64(owner!)
    writer.u64(recvSequence)
    writer.u64(owner!)
    writer.u64(action!)
    writer.bytes(sha256(base, payload))
    writer.checksum256(witness)
  })
}

/** The root of a leaf and its siblings, hex digits. */
function climb(leaf: Uint8Array, siblings: readonly string[], path: bigint): string {
  refuseIf(siblings.length > 64 || path >> BigInt(siblings.length) !== 0n, 'sides of siblings that are not there')
  let node = leaf
  for (const [k, sibling] of siblings.entries()) {
    const other = fromHex(sibling)
    node = ((path >> BigInt(k)) & 1n) === 1n ? sha256(other, node) : sha256(node, other)
  }
  return toHex(node)
}

function level2(policyDigest: string, start: number, level3: Uint8Array): Uint8Array {
  return hashOf((writer) => {
    writer.checksum256(policyDigest)
    writer.u32(start)
    writer.bytes(level3)
  })
}

function commitment(
  versions: Pick<Finality, 'majorVersion' | 'minorVersion' | 'activeGeneration' | 'lastPendingGeneration'>,
  mroot: string,
  second: Uint8Array,
): Uint8Array {
  const { majorVersion, minorVersion, activeGeneration, lastPendingGeneration } = versions
  return hashOf((writer) => {
    for (const value of [majorVersion, minorVersion, activeGeneration, lastPendingGeneration]) writer.u32(value)
    writer.checksum256(mroot)
    writer.bytes(second)
  })
}

/** The message that strong votes sign. */
function signedDigest(f: Finality): Uint8Array {
  const level3 = hashOf((writer) => {
    writer.checksum256(f.reversibleBlocksMroot)
    writer.u32(f.qcClaimBlockNum)
    writer.checksum256(f.qcClaimFinalityDigest)
    writer.u32(f.qcClaimTimestamp)
    writer.u32(f.timestamp)
    writer.checksum256(f.baseDigest)
  })
  return commitment(f, f.finalityMroot, level2(f.lastPendingPolicyDigest, f.lastPendingPolicyStart, level3))
}

/** Cache of verified votes: pairings take tens of milliseconds, and the same lists are requested repeatedly. */
const verified = new Set<string>()
const MAX_VERIFIED = 10_000

function checkVotes({ bits, signature }: Votes, policy: FinalizerPolicy, message: Uint8Array): void {
  const { finalizers, threshold } = policy
  const sum = finalizers.reduce((total, { weight }) => total + weight, 0n)
  refuseIf(threshold > sum || threshold * 2n <= sum, 'a threshold that is no quorum')
  refuseIf(bits.length !== Math.ceil(finalizers.length / 8), 'bits of another number of finalizers')
  const voted = (i: number) => ((bits[i >> 3]! >> (i & 7)) & 1) === 1
  for (let i = finalizers.length; i < bits.length * 8; i++) refuseIf(voted(i), 'a vote of nobody')
  const voters = finalizers.filter((_, i) => voted(i))
  refuseIf(voters.reduce((total, { weight }) => total + weight, 0n) < threshold, 'no quorum')
  const publicKeys = voters.map(({ publicKey }) => publicKey)
  const key = toHex(sha256(message, signature, ...publicKeys))
  if (verified.has(key)) return
  refuseIf(!verifyVotes([{ publicKeys, message }], signature), 'another signature')
  verified.add(key)
  if (verified.size > MAX_VERIFIED) verified.delete(verified.values().next().value!)
}

function hashOf(write: (writer: Writer) => void): Uint8Array {
  const writer = new Writer()
  write(writer)
  return sha256(writer.finish())
}

function refuseIf(is: boolean, what: string): void {
  if (is) throw refused(what)
}

function refused(what: string): DecodeError {
  return new DecodeError('SAVANNA_PROOF', `the proof does not hold: ${what}`, {
    hint: 'fetch the proof again; a policy that is not known has to be learned first',
  })
}
