// Starts tracking finality at a block other than the Savanna genesis block. Needs the finality tree's peaks and the
// policies there, from a snapshot, another database or an untrusted source: later blocks prove them, because finalizers
// sign claims about them. Stored in `meta.finality_starts`, exchanged as JSON.

import { blockNumOf } from '../antelope/block.ts'
import { Reader } from '../antelope/reader.ts'
import { Writer } from '../antelope/writer.ts'
import { DecodeError, UserError } from '../errors.ts'
import { fromHex, toHex } from '../hex.ts'
import { itemAt, required } from '../required.ts'
import { finalizerPolicyDigest, packFinalizerPolicy, readFinalizerPolicy } from './finalizer-policy.ts'
import { hashesOf } from './rows.ts'
import { type Lineage, lineageAt, type PendingSince, peaksOf } from './track.ts'

export interface FinalityStart {
  lineage: Lineage
  /** The active policy and the pending one, if any. Block number 0: unknown in which block it became pending. */
  policies: PendingSince[]
  /** 64 hex digits. */
  blockId: string
}

/** Packed policies, concatenated, each preceded by its block's number and slot. */
function packPolicies(policies: readonly PendingSince[]): Uint8Array {
  const writer = new Writer()
  for (const { blockNum, start, policy } of policies) {
    writer.u32(blockNum)
    writer.u32(start)
    writer.bytes(packFinalizerPolicy(policy))
  }
  return writer.finish()
}

/** @throws DecodeError when the bytes end too early */
function readPolicies(bytes: Uint8Array): PendingSince[] {
  const reader = new Reader(bytes)
  const policies: PendingSince[] = []
  while (reader.remaining > 0) {
    const blockNum = reader.u32()
    const start = reader.u32()
    const policy = readFinalizerPolicy(reader)
    policies.push({ blockNum, start, policy, digest: finalizerPolicyDigest(policy) })
  }
  return policies
}

/** A row of `meta.finality_starts`, without its chain. Numbers as the driver reads int8. */
export interface StoredStart {
  genesis: bigint | number | string
  blockNum: bigint | number | string
  blockId: string
  slot: bigint | number | string
  policyDigest: Uint8Array
  policyStart: bigint | number | string
  policies: Uint8Array
  peaks: Uint8Array
}

export function storedStart({ lineage, policies, blockId }: FinalityStart): StoredStart {
  const { genesis, blockNum, timestamp, tree, lastPending } = lineage
  return {
    genesis,
    blockNum,
    blockId,
    slot: timestamp,
    policyDigest: lastPending.digest,
    policyStart: lastPending.start,
    policies: packPolicies(policies),
    peaks: Buffer.concat(tree.peaks),
  }
}

/** @throws DecodeError INVALID_PEAKS */
export function startOf(row: StoredStart): FinalityStart {
  const lineage = lineageAt({
    genesis: Number(row.genesis),
    blockNum: Number(row.blockNum),
    timestamp: Number(row.slot),
    peaks: hashesOf(row.peaks),
    lastPending: { digest: row.policyDigest, start: Number(row.policyStart) },
  })
  return { lineage, policies: readPolicies(row.policies), blockId: row.blockId }
}

/** A start as JSON: hashes and packed policies as hex digits. */
export interface StartJson {
  /** Number of the Savanna genesis block. */
  genesis: number
  /** The last block of the tree. */
  blockId: string
  /** Slot of that block. */
  slot: number
  /** Slot of the block in which the last pending policy became pending. */
  policyStart: number
  /** Ascending by generation. */
  policies: { blockNum: number; slot: number; policy: string }[]
  /** Either the peaks, largest first, or all leaves, concatenated. */
  peaks?: string[]
  leaves?: string
}

export function startToJson({ lineage, policies, blockId }: FinalityStart): StartJson {
  return {
    genesis: lineage.genesis,
    blockId,
    slot: lineage.timestamp,
    policyStart: lineage.lastPending.start,
    policies: policies.map(({ blockNum, start, policy }) => {
      return { blockNum, slot: start, policy: toHex(packFinalizerPolicy(policy)) }
    }),
    peaks: lineage.tree.peaks.map(toHex),
  }
}

const invalid = (what: string): UserError =>
  new UserError('INVALID_FINALITY_START', `the start ${what}`, {
    hint: 'take a file that `headwater finality --export` has written, or a snapshot',
  })

/** @throws UserError INVALID_FINALITY_START; DecodeError INVALID_PEAKS */
export function startFromJson(json: unknown): FinalityStart {
  const { genesis, blockId, slot, policyStart, policies, peaks, leaves } = (json ?? {}) as Partial<StartJson>
  if (![genesis, slot, policyStart].every(Number.isSafeInteger)) throw invalid('lacks genesis, slot or policyStart')
  if (typeof blockId !== 'string' || !/^[0-9a-f]{64}$/.test(blockId)) throw invalid('has no block id of 64 hex digits')
  if (!Array.isArray(policies) || policies.length === 0) throw invalid('has no policies')
  const known = policies.map((entry) => pendingSince(entry))
  const [older, newer] = known
  // The block commits to the last one only, and a certificate of the other one to that.
  if (known.length > 2) throw invalid(`has ${known.length} policies: a block has an active and a pending one`)
  if (older && newer && older.policy.generation >= newer.policy.generation) {
    throw invalid('has policies that do not ascend by generation')
  }
  const last = itemAt(known, -1)
  const blockNum = blockNumOf(blockId)
  if (known.some((policy) => policy.blockNum > blockNum)) throw invalid('has a policy of a later block')
  const hashes = Array.isArray(peaks) ? peaks.map(hash) : allPeaks(leaves, blockNum - required(genesis, 'genesis') + 1)
  const lastPending = { digest: last.digest, start: required(policyStart, 'policy start') }
  const lineage = lineageAt({
    genesis: required(genesis, 'genesis'),
    blockNum,
    timestamp: required(slot, 'slot'),
    peaks: hashes,
    lastPending,
  })
  return { lineage, policies: known, blockId }
}

function pendingSince(entry: Partial<StartJson['policies'][number]> | null): PendingSince {
  const { blockNum, slot, policy } = entry ?? {}
  if (!Number.isSafeInteger(blockNum) || !Number.isSafeInteger(slot) || typeof policy !== 'string') {
    throw invalid('has a policy without blockNum, slot or policy')
  }
  try {
    const reader = new Reader(fromHex(policy))
    const read = readFinalizerPolicy(reader)
    if (reader.remaining > 0) throw invalid('has a policy with bytes after it')
    return {
      blockNum: required(blockNum, 'block number'),
      start: required(slot, 'slot'),
      policy: read,
      digest: finalizerPolicyDigest(read),
    }
  } catch (error) {
    if (error instanceof DecodeError) throw invalid(`has a policy that cannot be read: ${error.message}`)
    throw error
  }
}

function hash(text: unknown): Uint8Array {
  if (typeof text !== 'string' || !/^[0-9a-f]{64}$/.test(text)) throw invalid('has a hash that is no 64 hex digits')
  return fromHex(text)
}

function allPeaks(leaves: unknown, count: number): readonly Uint8Array[] {
  if (typeof leaves !== 'string' || !/^([0-9a-f]{64})+$/.test(leaves)) throw invalid('has neither peaks nor leaves')
  const all = hashesOf(fromHex(leaves))
  if (all.length !== count) throw invalid(`has ${all.length} leaves, its block is number ${count} of the tree`)
  return peaksOf(all)
}
