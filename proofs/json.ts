// Proofs as clients get them: members in the order of the Solidity structs, passed to the contracts unchanged.
// uint8 to uint32 are numbers, wider integers decimal text, bytes hexadecimal digits after 0x. Timestamps are slots.

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

/** What strong votes for a block sign. */
export interface FinalityArguments {
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

/** Part of the pending policy in a joint certificate; three times `0x` when no policy is pending. */
export interface PendingArguments {
  /** Packed. */
  policy: string
  bits: string
  signature: string
}

/** `SvcLightClient.submitRoot(finality, bits, signature, policyKeys, pending)`. */
export interface SubmitRootArguments {
  finality: FinalityArguments
  /** Finalizer i is bit i & 7 of byte i >> 3. */
  bits: string
  /** 256 bytes, a point of G2 as EIP-2537 has it. */
  signature: string
  /** Four words a finalizer, a point of G1 as EIP-2537 has it. */
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

/** Where a release goes. */
export interface ReleaseTarget {
  /** The withdrawals contract; null where none is known, and on an Antelope chain, where the relayer pays. */
  releaseTo: string | null
  /** Address of the vault; on an Antelope chain the account that pays. */
  vault: string
}

export interface LightProof extends ReleaseTarget {
  release: ReleaseArguments
}

export interface HardProof extends ReleaseTarget {
  release: ReleaseArguments
  submitRoot: SubmitRootArguments
  /** Null where none is known. */
  lightClient: string | null
  /** What the light client has to learn first, in this order. */
  handoffs: HandoffArguments[]
}

/** Answer of `proofs/w:<id>`. `light` is null when no root that the destination has stored covers the burn. */
export interface WithdrawalProof {
  track: 'light' | 'hard'
  light: LightProof | null
  hard: HardProof
}
