// Reads the block of a node's snapshot, and a start for tracking, from its section `eosio::chain::block_state`. Under
// Savanna (version 8) it has the finality tree's peaks and the finalizer policies at the snapshot's block; before
// Savanna, the tree of block ids and the producer schedules. Values that occur twice must agree; whether the section
// belongs to the chain shows in later blocks.

import { skipPublicKey, skipSignature } from '../antelope/abi/keys.ts'
import { type BlockHeader, blockId, blockNumOf, readBlockHeader } from '../antelope/block.ts'
import { IncrementalMerkle } from '../antelope/merkle.ts'
import { Reader } from '../antelope/reader.ts'
import { slotToMs } from '../antelope/time.ts'
import { DecodeError, HeadwaterError } from '../errors.ts'
import { toHex } from '../hex.ts'
import { itemAt } from '../required.ts'
import { type FinalizerPolicy, finalizerPolicyDigest, readFinalizerPolicy } from './finalizer-policy.ts'
import { readAuthority, readScheduleAt } from './legacy/schedule.ts'
import { type LegacyStart, legacyStartAt } from './legacy/start.ts'
import type { FinalityStart } from './start.ts'
import { lineageAt, type PendingSince } from './track.ts'

const invalid = (what: string): DecodeError =>
  new DecodeError('INVALID_SNAPSHOT', `the block state of the snapshot ${what}`, {
    hint: 'take a snapshot of version 8 (Spring) or 2 to 6 (EOSIO, Leap), as a node wrote it',
  })

/** The block whose state a snapshot holds. */
export interface SnapshotBlock {
  num: number
  /** 64 hex digits. */
  id: string
  /** Unix milliseconds. */
  time: number
  /** Start for tracking finality; null in version 2, whose schedules have another form. */
  start: FinalityStart | LegacyStart | null
}

/**
 * Reads the section.
 *
 * @param version  of the snapshot: 8, or 2 to 6
 * @throws DecodeError INVALID_SNAPSHOT when it cannot be read, contradicts itself or has another version
 */
export function readSnapshotBlock(section: Uint8Array, version: number): SnapshotBlock {
  if (version !== 8 && !(version >= 2 && version <= 6)) throw invalid(`has version ${version}`)
  const reader = new Reader(section)
  try {
    const legacy = version < 8 || reader.flag() ? readLegacyState(reader, version) : null
    const block = version === 8 && reader.flag() ? readSavannaState(reader) : legacy
    if (!block) throw invalid('is empty')
    if (reader.remaining > 0) throw invalid(`has ${reader.remaining} bytes too many`)
    return block
  } catch (error) {
    if (!(error instanceof HeadwaterError) || error.code === 'INVALID_SNAPSHOT') throw error
    throw invalid(`cannot be read: ${error.message}`)
  }
}

/** State of the newest block in EOSIO and Leap, and in Spring before Savanna: `snapshot_block_header_state_legacy_v2` and `_v3`. */
function readLegacyState(reader: Reader, version: number): SnapshotBlock {
  const isOld = version === 2
  const num = reader.u32()
  reader.skip(8) // proposed and irreversible block
  const active = isOld ? skipKeySchedule(reader) : readScheduleAt(reader)
  const nodes = Array.from({ length: reader.varuint32() }, () => toHex(reader.bytes(32)))
  const count = Number(reader.u64())
  for (let maps = 2; maps > 0; maps--) reader.skip(12 * reader.varuint32()) // last produced, last implied
  if (isOld) skipPublicKey(reader)
  else readAuthority(reader)
  reader.skip(reader.varuint32()) // confirmations
  const id = toHex(reader.bytes(32))
  const header = checkedHeader(reader, id)
  if (blockNumOf(id) !== num) throw invalid('has an id of another block')
  skipSignature(reader)
  reader.skip(4 + 32) // block and hash of the pending schedule
  const pending = isOld ? skipKeySchedule(reader) : readScheduleAt(reader)
  skipFeatures(reader)
  if (!isOld) for (let left = reader.varuint32(); left > 0; left--) skipSignature(reader)
  const start = active && pending ? legacyStartAt(id, count, nodes, [active, pending]) : null
  return { num, id, time: slotToMs(header.timestamp), start }
}

/** A schedule with one key for each producer, as before EOSIO 2. */
function skipKeySchedule(reader: Reader): null {
  reader.skip(4)
  for (let left = reader.varuint32(); left > 0; left--) {
    reader.skip(8)
    skipPublicKey(reader)
  }
  return null
}

/** Reads the header and checks its id. @param id  expected id, 64 hex digits */
function checkedHeader(reader: Reader, id: string): BlockHeader {
  const rest = reader.data.subarray(reader.pos)
  const { header, length } = readBlockHeader(rest)
  reader.skip(length)
  if (blockId(rest.subarray(0, length), blockNumOf(id)) !== id) throw invalid('has a header with another id')
  return header
}

function skipFeatures(reader: Reader): void {
  if (reader.flag()) reader.skip(32 * reader.varuint32())
}

function readSavannaState(reader: Reader): SnapshotBlock {
  const id = toHex(reader.bytes(32))
  const blockNum = blockNumOf(id)
  const header = checkedHeader(reader, id)
  skipFeatures(reader)
  skipCore(reader)
  if (!reader.flag()) throw invalid('has no active finalizer policy')
  const active = readFinalizerPolicy(reader)
  for (let i = 0; i < 3; i++) if (reader.flag()) skipProposers(reader)
  const proposed = reader.varuint32()
  for (let left = proposed; left > 0; left--) readNumbered(reader)
  const pending = reader.flag() ? readNumbered(reader) : null
  if (reader.flag()) readFinalizerPolicy(reader) // of the latest claim
  const generation = reader.u32()
  const lastPending = { digest: reader.bytes(32), start: reader.u32() }
  const { tree, roots } = readValidation(reader)
  const last = pending?.policy ?? active
  if (last.generation !== generation || toHex(finalizerPolicyDigest(last)) !== toHex(lastPending.digest)) {
    throw invalid('has another last pending policy')
  }
  if (toHex(itemAt(roots, -1)) !== toHex(tree.root())) throw invalid('has peaks that lead to another root')
  const policies = [sinceOf(active, pending ? 0 : lastPending.start, 0)]
  if (pending) policies.push(sinceOf(pending.policy, lastPending.start, pending.blockNum))
  const { timestamp } = header
  const genesis = blockNum - tree.count + 1
  const lineage = lineageAt({ genesis, blockNum, timestamp, peaks: tree.peaks, lastPending })
  return { num: blockNum, id, time: slotToMs(timestamp), start: { lineage, policies, blockId: id } }
}

function sinceOf(policy: FinalizerPolicy, start: number, blockNum: number): PendingSince {
  return { policy, digest: finalizerPolicyDigest(policy), start, blockNum }
}

/** A block number and a policy, if present. */
function readNumbered(reader: Reader): { blockNum: number; policy: FinalizerPolicy } {
  const blockNum = reader.u32()
  if (!reader.flag()) throw invalid('has a policy that is not there')
  return { blockNum, policy: readFinalizerPolicy(reader) }
}

function skipCore(reader: Reader): void {
  for (let left = reader.varuint32(); left > 0; left--) reader.bytes(9) // links
  for (let left = reader.varuint32(); left > 0; left--) reader.bytes(76) // refs, with two generations
  reader.u32() // genesis timestamp
}

/** `proposer_policy`: proposal time, version, producers with their signing authorities. */
function skipProposers(reader: Reader): void {
  reader.u32()
  reader.u32()
  for (let left = reader.varuint32(); left > 0; left--) {
    reader.u64()
    readAuthority(reader)
  }
}

function readValidation(reader: Reader): { tree: IncrementalMerkle; roots: Uint8Array[] } {
  if (!reader.flag()) throw invalid('has no finality tree')
  const hashes = () => Array.from({ length: reader.varuint32() }, () => reader.bytes(32).slice())
  const count = Number(reader.u64())
  const peaks = hashes()
  const roots = hashes()
  if (count === 0 || roots.length === 0) throw invalid('has an empty finality tree')
  return { tree: new IncrementalMerkle(count, peaks), roots }
}
