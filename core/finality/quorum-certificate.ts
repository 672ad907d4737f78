// Quorum certificates: block extension 3, the votes of finalizers for an earlier block.
// While a policy is pending, a certificate is joint: both policies sign, each with its own aggregate signature.

import { verifyVotes } from '../antelope/bls.ts'
import { Reader } from '../antelope/reader.ts'
import { Writer } from '../antelope/writer.ts'
import { hasBit, packBits } from '../bits.ts'
import { DecodeError } from '../errors.ts'
import type { FinalizerPolicy } from './finalizer-policy.ts'

export interface QuorumSignature {
  /** One flag per finalizer, in the policy's order; null when there are no such votes. */
  strong: readonly boolean[] | null
  weak: readonly boolean[] | null
  /** 192 bytes. */
  signature: Uint8Array
}

export interface QuorumCertificate {
  /** The block that the votes are for. */
  blockNum: number
  active: QuorumSignature
  pending: QuorumSignature | null
}

/** As in the nodes' code: `max_finalizers`. */
const MAX_FINALIZERS = 65_536

function writeVotes(writer: Writer, votes: readonly boolean[] | null): void {
  writer.u8(votes ? 1 : 0)
  if (!votes) return
  writer.varuint32(votes.length)
  writer.bytes(packBits(votes))
}

function readVotes(reader: Reader): boolean[] | null {
  if (reader.u8() === 0) return null
  const count = reader.varuint32()
  if (count > MAX_FINALIZERS) throw new DecodeError('INVALID_QC', `${count} finalizers`)
  const bytes = reader.bytes(Math.ceil(count / 8))
  // A loop: it runs for every block, and a callback for each vote takes longer than the rest.
  const votes: boolean[] = []
  for (let i = 0; i < count; i++) votes.push(hasBit(bytes, i))
  return votes
}

function writeQuorumSignature(writer: Writer, part: QuorumSignature): void {
  writeVotes(writer, part.strong)
  writeVotes(writer, part.weak)
  writer.lengthBytes(part.signature)
}

function readQuorumSignature(reader: Reader): QuorumSignature {
  return { strong: readVotes(reader), weak: readVotes(reader), signature: reader.lengthBytes() }
}

/** Shared by all calls: allocating a writer takes longer than filling it. */
const scratch = new Writer()

/** Data of block extension 3. */
export function packQuorumCertificate(certificate: QuorumCertificate): Uint8Array {
  const writer = scratch
  writer.pos = 0
  writer.u32(certificate.blockNum)
  writeQuorumSignature(writer, certificate.active)
  writer.u8(certificate.pending ? 1 : 0)
  if (certificate.pending) writeQuorumSignature(writer, certificate.pending)
  return writer.finish()
}

/** Reads the data of block extension 3. @throws DecodeError INVALID_QC, or when the bytes end too early */
export function readQuorumCertificate(bytes: Uint8Array): QuorumCertificate {
  const reader = new Reader(bytes)
  const blockNum = reader.u32()
  const active = readQuorumSignature(reader)
  return { blockNum, active, pending: reader.u8() === 1 ? readQuorumSignature(reader) : null }
}

/** Whether both parts of a certificate have only strong votes. Only a strong certificate makes a block final. */
export function isStrong({ active, pending }: QuorumCertificate): boolean {
  return active.weak === null && (pending?.weak ?? null) === null
}

/** The message that weak votes sign: the finality digest and the word WEAK. */
export function weakMessage(finalityDigest: Uint8Array): Uint8Array {
  return Buffer.concat([finalityDigest, Buffer.from('WEAK')])
}

/**
 * Verifies one part of a certificate: lengths, no double votes, quorum, signature.
 *
 * @param finalityDigest  of the block that the votes are for
 */
function verifyQuorumSignature(
  { strong, weak, signature }: QuorumSignature,
  { finalizers, threshold }: FinalizerPolicy,
  finalityDigest: Uint8Array,
): boolean {
  if ([strong, weak].some((votes) => votes && votes.length !== finalizers.length)) return false
  if (strong?.some((voted, i) => voted && weak?.[i])) return false
  const voters = (votes: readonly boolean[] | null) => finalizers.filter((_, i) => votes?.[i])
  const weight = [...voters(strong), ...voters(weak)].reduce((sum, finalizer) => sum + finalizer.weight, 0n)
  if (weight < threshold) return false
  const keys = (votes: readonly boolean[] | null) => voters(votes).map((finalizer) => finalizer.publicKey)
  return verifyVotes(
    [
      { publicKeys: keys(strong), message: finalityDigest },
      { publicKeys: keys(weak), message: weakMessage(finalityDigest) },
    ],
    signature,
  )
}

/** The policies that vote on a block. */
export interface VotingPolicies {
  active: FinalizerPolicy
  /** Null when the active policy is the last one that became pending. */
  pending: FinalizerPolicy | null
}

/** Whether each finalizer of both policies votes the same way in both. */
function isConsistent(certificate: QuorumCertificate, { active, pending }: VotingPolicies): boolean {
  const vote = (part: QuorumSignature, i: number) => (part.strong?.[i] ? 'strong' : part.weak?.[i] ? 'weak' : 'none')
  return (pending?.finalizers ?? []).every((finalizer, j) => {
    const i = active.finalizers.findIndex((other) => Buffer.compare(other.publicKey, finalizer.publicKey) === 0)
    return i < 0 || (certificate.pending && vote(certificate.active, i) === vote(certificate.pending, j))
  })
}

/**
 * Whether a certificate is valid, strong or weak (see `isStrong`).
 *
 * @param policies        of the block that the votes are for
 * @param finalityDigest  of that block
 * @throws DecodeError INVALID_BLS_POINT when a key or signature is not a point of its group
 */
export function verifyQuorumCertificate(
  certificate: QuorumCertificate,
  policies: VotingPolicies,
  finalityDigest: Uint8Array,
): boolean {
  const { active, pending } = policies
  const pendingVotes = certificate.pending
  if ((pendingVotes === null) !== (pending === null)) return false
  if (!isConsistent(certificate, policies)) return false
  return (
    verifyQuorumSignature(certificate.active, active, finalityDigest) &&
    (!pending || !pendingVotes || verifyQuorumSignature(pendingVotes, pending, finalityDigest))
  )
}
