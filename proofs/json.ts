// Proofs as clients receive them: members in the order of the Solidity structs, passed to the contracts unchanged.
// uint8 to uint32 are numbers, wider integers decimal text, bytes 0x and hex digits. Timestamps are slots.

import type { FinalityMembers } from '../core/finality/recompute.ts'

/** `SvcWithdrawals.release(p)`. */
export interface ReleaseArguments {
  id: string
  domain: string
  token: string
  recipient: string
  amount: string
  deadline: string
  fee: string
  memo: string
  recvSequence: string
  witness: string
  actionSiblings: string[]
  actionPath: string
  actionMroot: string
  majorVersion: number
  minorVersion: number
  blockNum: number
  timestamp: number
  parentTimestamp: number
  finalityDigest: string
  treeSiblings: string[]
  treePath: string
  finalityMroot: string
}

/** The pending policy's part of a joint certificate; all three members are `0x` when no policy is pending. */
export interface PendingArguments {
  /** Packed. */
  policy: string
  bits: string
  signature: string
}

/** `SvcLightClient.submitRoot(finality, bits, signature, policyKeys, pending)`. */
export interface SubmitRootArguments {
  finality: FinalityMembers
  /** Finalizer i is bit i & 7 of byte i >> 3. */
  bits: string
  /** 256 bytes, a G2 point in EIP-2537 format. */
  signature: string
  /** Four words per finalizer, a G1 point in EIP-2537 format. */
  policyKeys: string[]
  pending: PendingArguments
}

/** `SvcLightClient.learn(h)`. */
export interface LearnArguments {
  majorVersion: number
  minorVersion: number
  blockNum: number
  timestamp: number
  parentTimestamp: number
  activeGeneration: number
  lastPendingGeneration: number
  blockFinalityMroot: string
  lastPendingPolicyStart: number
  level3Digest: string
  actionMroot: string
  treeSiblings: string[]
  treePath: string
  finalityMroot: string
  policy: string
}

/** `SvcLightClient.submitAndLearn(…submitRoot, learn)`. */
export interface HandoffArguments {
  submitRoot: SubmitRootArguments
  learn: LearnArguments
}

/** Destination of a release. */
interface ReleaseTarget {
  /** The withdrawals contract; null when none is known, and on an Antelope chain, where the relayer pays. */
  releaseTo: string | null
  /** Address of the vault; on an Antelope chain, the paying account. */
  vault: string
}

interface LightProof extends ReleaseTarget {
  release: ReleaseArguments
}

export interface HardProof extends ReleaseTarget {
  release: ReleaseArguments
  submitRoot: SubmitRootArguments
  /** Null when none is known. */
  lightClient: string | null
  /** Hand-offs that the light client must learn first, in this order. */
  handoffs: HandoffArguments[]
}

/** Answer of `proofs/w:<id>`. `light` is null when no root that the destination has stored covers the burn. */
export interface WithdrawalProof {
  track: 'light' | 'hard'
  light: LightProof | null
  hard: HardProof
}
