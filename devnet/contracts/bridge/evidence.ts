// Proof that an action stands in an irreversible block of an Antelope chain, as a contract on another chain checks it:
// the action's receipt climbs to the block's root of actions, the block's leaf to a root of the finality tree that
// the contract trusts. Members are named as in the proofs of withdrawals (abis/SvcWithdrawals.abi.json).

import {
  type ActionReceipt,
  actDigest,
  actionDigest,
  type PackedAction,
  witnessHash,
} from '../../../core/antelope/digest.ts'
import { finalityLeaf } from '../../../core/antelope/finality.ts'
import { climb, merkleProof, type Sibling } from '../../../core/antelope/merkle.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import type { FinalBlock } from '../../chain/chain.ts'

/** The struct `proven` of abis/gateway.devnet.abi.json. Hashes are hex digits; timestamps are slots. */
export interface Proven {
  /** Packed members of the action. */
  data: Uint8Array
  recvSequence: bigint
  witness: string
  actionSiblings: string[]
  /** Bit k is set when sibling k stands on the left. */
  actionPath: bigint
  actionMroot: string
  majorVersion: number
  minorVersion: number
  blockNum: number
  timestamp: number
  parentTimestamp: number
  finalityDigest: string
  treeSiblings: string[]
  treePath: bigint
  finalityMroot: string
}

const NO_BYTES = new Uint8Array()

/**
 * @param block    irreversible, under Savanna
 * @param index    of the action, in execution order
 * @param tree     siblings of the block's leaf up to the root of the finality tree
 * @param root     that root
 */
export function proveAction(
  { actions, num, timestamp, savanna }: FinalBlock,
  index: number,
  tree: readonly Sibling[],
  root: Uint8Array,
): Proven {
  const { data, ref } = savanna!
  const digests = actions.map(({ receipt, action }) => actionDigest(receipt, action))
  const { receipt, action } = actions[index]!
  const siblings = merkleProof(digests, index)
  return {
    data: action.data,
    recvSequence: receipt.recvSequence,
    witness: toHex(witnessHash(receipt)),
    actionSiblings: siblings.map(({ hash }) => toHex(hash)),
    actionPath: sides(siblings),
    actionMroot: toHex(data.actionMroot),
    majorVersion: data.major,
    minorVersion: data.minor,
    blockNum: num,
    timestamp,
    parentTimestamp: ref.parentTimestamp,
    finalityDigest: toHex(ref.finalityDigest),
    treeSiblings: tree.map(({ hash }) => toHex(hash)),
    treePath: sides(tree),
    finalityMroot: toHex(root),
  }
}

/**
 * Whether the proof leads from the action to its own `finalityMroot`. That root has still to be a trusted one.
 *
 * @param action  account, name and authorisation that the action must have; its data are the proof's
 */
export function holds(proven: Proven, action: Omit<PackedAction, 'data'>): boolean {
  const receipt: ActionReceipt = {
    receiver: action.account,
    actDigest: actDigest({ ...action, data: proven.data }, NO_BYTES),
    recvSequence: proven.recvSequence,
    globalSequence: 0n,
    authSequence: [],
    codeSequence: 0,
    abiSequence: 0,
  }
  const digest = actionDigest(receipt, action, fromHex(proven.witness))
  const actionMroot = climb(digest, siblingsOf(proven.actionSiblings, proven.actionPath))
  const leaf = finalityLeaf({
    major: proven.majorVersion,
    minor: proven.minorVersion,
    blockNum: proven.blockNum,
    timestamp: proven.timestamp,
    parentTimestamp: proven.parentTimestamp,
    finalityDigest: fromHex(proven.finalityDigest),
    actionMroot,
  })
  const root = climb(leaf, siblingsOf(proven.treeSiblings, proven.treePath))
  return toHex(actionMroot) === proven.actionMroot && toHex(root) === proven.finalityMroot
}

function sides(siblings: readonly Sibling[]): bigint {
  return siblings.reduce((bits, { left }, k) => (left ? bits | (1n << BigInt(k)) : bits), 0n)
}

function siblingsOf(hashes: readonly string[], path: bigint): Sibling[] {
  return hashes.map((hash, k) => ({ hash: fromHex(hash), left: ((path >> BigInt(k)) & 1n) === 1n }))
}
