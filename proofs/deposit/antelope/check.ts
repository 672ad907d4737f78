// Plays a gateway for an Antelope chain under Savanna: takes the actions of a proof in the form in which they are handed
// out, makes every hash anew and verifies certificates. Shares no code with what builds them.
import { verifyVotes } from '../../../core/antelope/bls.ts'
import {
  type FinalizerPolicy,
  packFinalizerPolicy,
  readFinalizerPolicy,
} from '../../../core/antelope/finalizer-policy.ts'
import { nameToU64 } from '../../../core/antelope/name.ts'
import { Reader } from '../../../core/antelope/reader.ts'
import { Writer } from '../../../core/antelope/writer.ts'
import { HeadwaterError } from '../../../core/errors.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import { gatewayAbi } from '../abi.ts'
import type { DepositAction } from '../json.ts'

/** What the gateway trusts before the first action. */
export interface PolicyTrust {
  /** 64 hex digits each. */
  roots: string[]
  policies: FinalizerPolicy[]
}

export interface ExpectedLog {
  gateway: string
  /** Account that locks deposits. */
  bridge: string
  nonce: bigint
  /** Packed `deplog`. */
  data: Uint8Array
}

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

interface CertifiedRoot {
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

interface Handoff extends Leaf, TreeWay {
  activeGeneration: number
  lastPendingGeneration: number
  blockFinalityMroot: string
  lastPendingPolicyStart: number
  level3Digest: string
  policy: Uint8Array
}

export interface SavannaProof extends Leaf, TreeWay {
  data: Uint8Array
  recvSequence: bigint
  witness: string
  actionSiblings: string[]
  actionPath: bigint
  finalityDigest: string
}

/** What is wrong with a list of actions; null when nothing is. */
export function savannaDepositProblem(
  actions: readonly DepositAction[],
  trust: PolicyTrust,
  expected: ExpectedLog,
): string | null {
  const gateway = new Gateway(trust)
  let isCredited = false
  try {
    for (const { account, name, data } of actions) {
      if (account !== expected.gateway) return `an action of ${account}`
      if (isCredited) return 'an action behind the credit'
      const members = gatewayAbi('antelope').decodeAction(name, fromHex(data))
      if (name === 'submitroot') gateway.submit(members.root as CertifiedRoot)
      else if (name === 'learn') {
        gateway.submit(members.root as CertifiedRoot)
        gateway.learn(members.handoff as Handoff)
      } else {
        if (members.nonce !== expected.nonce) return 'another nonce'
        const [kind, proof] = gatewayAbi('antelope').decode('deposit_proof', members.proof as Uint8Array) as [
          string,
          SavannaProof,
        ]
        if (kind !== 'savanna_proof') return 'a proof of another kind'
        gateway.credit(proof, expected)
        isCredited = true
      }
    }
  } catch (error) {
    if (error instanceof Refused || error instanceof HeadwaterError) return error.message
    throw error
  }
  return isCredited ? null : 'nothing is credited'
}

class Refused extends Error {}

class Gateway {
  readonly #roots: Set<string>
  readonly #policies: Map<number, FinalizerPolicy>

  constructor({ roots, policies }: PolicyTrust) {
    this.#roots = new Set(roots)
    this.#policies = new Map(policies.map((policy) => [policy.generation, policy]))
  }

  submit(root: CertifiedRoot): void {
    const { finality, pending } = root
    refuseIf(finality.majorVersion !== 1 || finality.minorVersion !== 0, 'a version that is not known')
    refuseIf(/^0*$/.test(finality.finalityMroot), 'no root')
    const active = this.#policies.get(finality.activeGeneration)
    refuseIf(!active, `policy ${finality.activeGeneration} is not known`)
    const message = signedDigest(finality)
    checkVotes(root.active, active!, message)
    if (finality.lastPendingGeneration === finality.activeGeneration)
      refuseIf(pending !== null, 'a pending policy too many')
    else {
      refuseIf(pending === null, 'no votes of the pending policy')
      refuseIf(toHex(sha256(pending!.policy)) !== finality.lastPendingPolicyDigest, 'another pending policy')
      const policy = readFinalizerPolicy(new Reader(pending!.policy))
      refuseIf(policy.generation !== finality.lastPendingGeneration, 'another pending generation')
      checkVotes(pending!, policy, message)
    }
    this.#roots.add(finality.finalityMroot)
  }

  learn(handoff: Handoff): void {
    const policy = readFinalizerPolicy(new Reader(handoff.policy))
    refuseIf(toHex(packFinalizerPolicy(policy)) !== toHex(handoff.policy), 'bytes behind the policy')
    refuseIf(policy.generation !== handoff.lastPendingGeneration, 'another generation')
    const { lastPendingPolicyStart: start, level3Digest } = handoff
    const second = level2(toHex(sha256(handoff.policy)), start, fromHex(level3Digest))
    this.#checkLeaf(handoff, commitment(handoff, handoff.blockFinalityMroot, second))
    this.#policies.set(policy.generation, policy)
  }

  credit(proof: SavannaProof, { bridge, data }: ExpectedLog): void {
    refuseIf(toHex(proof.data) !== toHex(data), 'another deposit')
    const root = climb(logDigest(proof, bridge), proof.actionSiblings, proof.actionPath)
    refuseIf(root !== proof.actionMroot, 'the action is not in the block')
    this.#checkLeaf(proof, fromHex(proof.finalityDigest))
  }

  #checkLeaf(leaf: Leaf & TreeWay, finalityDigest: Uint8Array): void {
    refuseIf(leaf.majorVersion !== 1 || leaf.minorVersion !== 0, 'a version that is not known')
    const hash = hashOf((writer) => {
      const { majorVersion, minorVersion, blockNum, timestamp, parentTimestamp } = leaf
      for (const value of [majorVersion, minorVersion, blockNum, timestamp, parentTimestamp]) writer.u32(value)
      writer.bytes(finalityDigest)
      writer.checksum256(leaf.actionMroot)
    })
    const root = climb(hash, leaf.treeSiblings, leaf.treePath)
    refuseIf(root !== leaf.finalityMroot, 'the block is not under the root')
    refuseIf(!this.#roots.has(root), 'the root is not trusted')
  }
}

/** Digest of the log action that the contract puts together. */
function logDigest({ data, recvSequence, witness }: SavannaProof, bridge: string): Uint8Array {
  const [account, action, permission] = [bridge, 'deplog', 'active'].map(nameToU64)
  const base = hashOf((writer) => {
    writer.u64(account!)
    writer.u64(action!)
    writer.varuint32(1)
    writer.u64(account!)
    writer.u64(permission!)
  })
  const payload = hashOf((writer) => {
    writer.lengthBytes(data)
    writer.lengthBytes(new Uint8Array())
  })
  return hashOf((writer) => {
    writer.u64(account!)
    writer.u64(recvSequence)
    writer.u64(account!)
    writer.u64(action!)
    writer.bytes(sha256(base, payload))
    writer.checksum256(witness)
  })
}

/** The root that a leaf leads to, hex digits. */
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

/** The message of strong votes. */
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

/** Verified votes: pairings take tens of milliseconds, and lists are asked for again and again. */
const verified = new Set<string>()
const REMEMBERED = 10_000

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
  if (verified.size > REMEMBERED) verified.delete(verified.values().next().value!)
}

function hashOf(write: (writer: Writer) => void): Uint8Array {
  const writer = new Writer()
  write(writer)
  return sha256(writer.finish())
}

function refuseIf(is: boolean, what: string): void {
  if (is) throw new Refused(what)
}
