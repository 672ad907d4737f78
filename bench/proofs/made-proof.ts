// Makes a withdrawal's hard proof from keys alone: a tree of any depth around one block, certificates of policies of
// any size and weights. Sibling hashes have no meaning; paths and signatures are valid.

import { blsPublicKey, blsSecret, blsSign, sumSecrets } from '../../core/antelope/bls.ts'
import { actDigest, actionBase, actionDigest, type PackedAction } from '../../core/antelope/digest.ts'
import { climb, merkleRoot, type Sibling } from '../../core/antelope/merkle.ts'
import { Writer } from '../../core/antelope/writer.ts'
import type { Burn, Withdrawal } from '../../core/finality/burn.ts'
import { finalityDigest, finalityLeaf, level2Digest, level3Digest } from '../../core/finality/digests.ts'
import { type FinalizerPolicy, finalizerPolicyDigest } from '../../core/finality/finalizer-policy.ts'
import type { QuorumSignature } from '../../core/finality/quorum-certificate.ts'
import type { PendingSince, TrackedBlock } from '../../core/finality/track.ts'
import { fromHex } from '../../core/hex.ts'
import { itemAt } from '../../core/required.ts'
import { sha256 } from '../../core/sha256.ts'
import { releaseArguments, submitRootArguments } from '../../proofs/build.ts'
import type { ReleaseArguments, SubmitRootArguments } from '../../proofs/json.ts'

const made = (text: string): Uint8Array => sha256(Buffer.from(text))
const secretOf = (text: string): bigint => blsSecret(made(text).subarray(0, 3))

/** A policy with the secret keys of its finalizers. */
export interface MadePolicy {
  since: PendingSince
  secrets: readonly bigint[]
}

/** @param weights  one for each finalizer; the quorum is two thirds of their sum plus one */
export function makePolicy(generation: number, weights: readonly bigint[]): MadePolicy {
  const secrets = weights.map((_, i) => secretOf(`finalizer ${generation}/${i}`))
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  const policy: FinalizerPolicy = {
    generation,
    threshold: (sum * 2n) / 3n + 1n,
    finalizers: weights.map((weight, i) => ({
      description: `finalizer${i}`,
      weight,
      publicKey: blsPublicKey(itemAt(secrets, i)),
    })),
  }
  return { since: { policy, digest: finalizerPolicyDigest(policy), blockNum: 1, start: 1 }, secrets }
}

export interface Shape {
  withdrawal: Withdrawal
  /** Levels of the block's action tree and of the finality tree. */
  actionDepth: number
  treeDepth: number
  active: MadePolicy
  pending: MadePolicy | null
  /** Whether finalizer i votes. */
  votes: (i: number) => boolean
}

export interface MadeProof {
  release: ReleaseArguments
  submitRoot: SubmitRootArguments
}

const LEDGER: Omit<PackedAction, 'data'> = {
  account: 'bridge.svc',
  name: 'wdlog',
  authorization: [{ actor: 'bridge.svc', permission: 'active' }],
}

function burnOf(withdrawal: Withdrawal, depth: number): Burn {
  const writer = new Writer()
  writer.u64(withdrawal.id)
  writer.u64(withdrawal.domain)
  for (const bytes of [withdrawal.vault, withdrawal.token, withdrawal.recipient]) writer.lengthBytes(bytes)
  for (const number of [withdrawal.amount, withdrawal.deadline, withdrawal.fee]) writer.u64(number)
  writer.lengthBytes(withdrawal.memo)
  const action = { ...LEDGER, data: writer.finish() }
  const receipt = {
    receiver: 'bridge.svc',
    actDigest: actDigest(action, new Uint8Array(), actionBase(action)),
    recvSequence: 77n,
    globalSequence: 0n,
    authSequence: [],
    codeSequence: 1,
    abiSequence: 1,
  }
  const witness = made('witness')
  const leaves = Array.from({ length: 2 ** depth }, (_, i) => made(`action ${i}`))
  const index = Math.floor(leaves.length / 3)
  leaves[index] = actionDigest(receipt, action, witness)
  return { ...withdrawal, blockNum: 41_234_567, recvSequence: 77n, witness, index, leaves }
}

/** Contracts ignore slots. */
const SLOT = 1_600_000_000

/** All inputs of `finalityDigest`. */
function blockWith(blockNum: number, finalityMroot: Uint8Array, actionMroot: Uint8Array, shape: Shape): TrackedBlock {
  const { active, pending } = shape
  const last = pending ?? active
  const data = {
    major: 1,
    minor: 0,
    activeGeneration: active.since.policy.generation,
    lastPendingGeneration: last.since.policy.generation,
    actionMroot,
    reversibleBlocksMroot: made('reversible'),
    claimBlockNum: blockNum - 1,
    claimFinalityDigest: made('claimed'),
    claimTimestamp: SLOT,
    baseDigest: made('base'),
  }
  const timestamp = SLOT + 1
  const level3 = level3Digest({ ...data, timestamp })
  const level2 = level2Digest({
    lastPendingPolicyDigest: last.since.digest,
    lastPendingPolicyStart: last.since.start,
    level3Digest: level3,
  })
  const digest = finalityDigest({ ...data, finalityMroot, level2Digest: level2 })
  const leaf = finalityLeaf({ ...data, blockNum, timestamp, parentTimestamp: SLOT, finalityDigest: digest })
  return {
    blockNum,
    blockId: '',
    timestamp,
    parentTimestamp: SLOT,
    finalityMroot,
    lastPendingPolicyDigest: last.since.digest,
    lastPendingPolicyStart: last.since.start,
    data,
    finalityDigest: digest,
    leaf,
  }
}

function sign({ secrets }: MadePolicy, message: Uint8Array, votes: Shape['votes']): QuorumSignature {
  const strong = secrets.map((_, i) => votes(i))
  const signature = blsSign(message, sumSecrets(secrets.filter((_, i) => strong[i])))
  return { strong, weak: null, signature }
}

export function makeProof(shape: Shape): MadeProof {
  const burn = burnOf(shape.withdrawal, shape.actionDepth)
  const block = blockWith(burn.blockNum, made('earlier root'), merkleRoot(burn.leaves), shape)
  const siblings: Sibling[] = Array.from({ length: shape.treeDepth }, (_, level) => ({
    hash: made(`level ${level}`),
    left: level % 3 !== 0,
  }))
  const root = climb(block.leaf, siblings)
  const signed = blockWith(burn.blockNum + 1, root, made('actions'), shape)
  const { active, pending, votes } = shape
  const certificate = {
    blockNum: signed.blockNum,
    active: sign(active, signed.finalityDigest, votes),
    pending: pending && sign(pending, signed.finalityDigest, votes),
  }
  return {
    release: releaseArguments(burn, block, { siblings, root }),
    submitRoot: submitRootArguments({
      block: signed,
      certificate,
      active: active.since,
      pending: pending?.since ?? null,
    }),
  }
}

/** @param address  with 0x */
export const addressOf = (address: string): Uint8Array => fromHex(address.slice(2).toLowerCase())
