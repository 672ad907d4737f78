// Ledger rows that store a tracked block, and blocks from such rows. Pure; column names in camel case.

import { Reader } from '../antelope/reader.ts'
import { slotToMs } from '../antelope/time.ts'
import { DecodeError } from '../errors.ts'
import type { BridgeLog } from './bridge-log.ts'
import { type Burn, readWithdrawal } from './burn.ts'
import type { FinalityData } from './finality-data.ts'
import { packFinalizerPolicy, readFinalizerPolicy } from './finalizer-policy.ts'
import { isStrong, packQuorumCertificate } from './quorum-certificate.ts'
import type { PendingSince, Tracked, TrackedBlock } from './track.ts'

/** A row of a table of the schema `ledger`. */
export interface FinalityRow {
  table: 'finality' | 'finalizer_policies' | 'certificates' | 'bridge_logs'
  row: object
}

/** The only protocol version that the tables store. */
const MAJOR = 1
const MINOR = 0

/**
 * Rows of a block.
 *
 * @param logs      bridge logs in the block
 * @param verified  whether the certificate in the block has been verified
 * @throws DecodeError FINALITY_VERSION for another protocol version
 */
export function rowsOf(
  chain: string,
  { block, nodes, policy, certificate }: Tracked,
  logs: readonly BridgeLog[],
  verified = false,
): FinalityRow[] {
  const { blockNum, data } = block
  if (data.major !== MAJOR || data.minor !== MINOR) {
    throw new DecodeError('FINALITY_VERSION', `block ${blockNum} has finality version ${data.major}.${data.minor}`, {
      hint: `only ${MAJOR}.${MINOR} is known: an update of this program is needed`,
      place: { block: blockNum },
    })
  }
  const blockTime = slotToMs(block.timestamp)
  const rows: FinalityRow[] = [{ table: 'finality', row: finalityRow(chain, block, joined(nodes)) }]
  if (policy) {
    const { start: slot, digest } = policy
    const { generation } = policy.policy
    rows.push({
      table: 'finalizer_policies',
      row: { chain, blockNum, blockTime, generation, slot, digest, policy: packFinalizerPolicy(policy.policy) },
    })
  }
  if (certificate) {
    const packed = packQuorumCertificate(certificate)
    const target = certificate.blockNum
    const strong = isStrong(certificate)
    // Without a spread, as `finalityRow`.
    rows.push({
      table: 'certificates',
      row: { chain, blockNum, blockTime, target, strong, verified, certificate: packed },
    })
  }
  for (const log of logs) rows.push({ table: 'bridge_logs', row: logRow({ chain, blockNum, blockTime }, log) })
  return rows
}

/** The nodes as one byte string. Every second block has only one. */
function joined(nodes: readonly Uint8Array[]): Uint8Array {
  const [first] = nodes
  return first && nodes.length === 1 ? first : Buffer.concat(nodes)
}

/** A row of `ledger.bridge_logs`. @param at  position of the block */
export function logRow(at: object, log: BridgeLog): object {
  const { name, id, index: actionIndex, recvSequence, witness, data, leaves } = log
  return { ...at, name, id, actionIndex, recvSequence, witness, data, leaves: Buffer.concat(leaves), receipt: null }
}

/** Members of a `ledger.finality` row, without its position and nodes. Slots and numbers as the driver reads int8. */
export interface StoredFinality {
  slot: bigint | number
  parentSlot: bigint | number
  finalityMroot: Uint8Array
  policyDigest: Uint8Array
  policyStart: bigint | number
  activeGeneration: bigint | number
  lastPendingGeneration: bigint | number
  actionMroot: Uint8Array
  reversibleMroot: Uint8Array
  claimNum: bigint | number
  claimDigest: Uint8Array
  claimSlot: bigint | number
  baseDigest: Uint8Array
  finalityDigest: Uint8Array
}

/**
 * Written out member by member: it runs for every block, and spreading so many members takes longer than the hashes.
 */
function finalityRow(
  chain: string,
  block: TrackedBlock,
  nodes: Uint8Array,
): StoredFinality & { chain: string; blockNum: number; blockTime: number; nodes: Uint8Array } {
  const { data } = block
  return {
    chain,
    blockNum: block.blockNum,
    blockTime: slotToMs(block.timestamp),
    nodes,
    slot: block.timestamp,
    parentSlot: block.parentTimestamp,
    finalityMroot: block.finalityMroot,
    policyDigest: block.lastPendingPolicyDigest,
    policyStart: block.lastPendingPolicyStart,
    activeGeneration: data.activeGeneration,
    lastPendingGeneration: data.lastPendingGeneration,
    actionMroot: data.actionMroot,
    reversibleMroot: data.reversibleBlocksMroot,
    claimNum: data.claimBlockNum,
    claimDigest: data.claimFinalityDigest,
    claimSlot: data.claimTimestamp,
    baseDigest: data.baseDigest,
    finalityDigest: block.finalityDigest,
  }
}

export interface StoredBlock extends StoredFinality {
  blockNum: bigint | number
  blockId: string
  leaf: Uint8Array
}

/** Restores a block from the rows of `rowsOf`. */
export function blockOf(row: StoredBlock): TrackedBlock {
  const data: Omit<FinalityData, 'pendingPolicy'> = {
    major: MAJOR,
    minor: MINOR,
    activeGeneration: Number(row.activeGeneration),
    actionMroot: row.actionMroot,
    reversibleBlocksMroot: row.reversibleMroot,
    claimBlockNum: Number(row.claimNum),
    claimFinalityDigest: row.claimDigest,
    claimTimestamp: Number(row.claimSlot),
    baseDigest: row.baseDigest,
    lastPendingGeneration: Number(row.lastPendingGeneration),
  }
  return {
    blockNum: Number(row.blockNum),
    blockId: row.blockId,
    timestamp: Number(row.slot),
    parentTimestamp: Number(row.parentSlot),
    finalityMroot: row.finalityMroot,
    lastPendingPolicyDigest: row.policyDigest,
    lastPendingPolicyStart: Number(row.policyStart),
    data,
    finalityDigest: row.finalityDigest,
    leaf: row.leaf,
  }
}

/** A row of `ledger.finalizer_policies`. */
export interface StoredPolicy {
  blockNum: bigint | number
  slot: bigint | number
  digest: Uint8Array
  policy: Uint8Array
}

export function policyOf(row: StoredPolicy): PendingSince {
  const policy = readFinalizerPolicy(new Reader(row.policy))
  return { policy, digest: row.digest, blockNum: Number(row.blockNum), start: Number(row.slot) }
}

/** A `wdlog` of `ledger.bridge_logs`. */
export interface StoredBurn {
  blockNum: bigint | number
  index: number
  recvSequence: bigint | string
  witness: Uint8Array
  data: Uint8Array
  leaves: Uint8Array
}

export function burnOf(row: StoredBurn): Burn {
  return {
    ...readWithdrawal(row.data),
    blockNum: Number(row.blockNum),
    index: row.index,
    recvSequence: BigInt(row.recvSequence),
    witness: row.witness,
    leaves: hashesOf(row.leaves),
  }
}

/** Splits concatenated 32-byte hashes. */
export function hashesOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.subarray(i * 32, (i + 1) * 32))
}
