// Writes a node's snapshot of a simulated chain's last irreversible block, with the needed sections among others.
import { packBlockHeader, readBlockHeader, readSignatures } from '../../../core/antelope/block.ts'
import type { IncrementalMerkle } from '../../../core/antelope/merkle.ts'
import { Writer } from '../../../core/antelope/writer.ts'
import { packFinalizerPolicy } from '../../../core/finality/finalizer-policy.ts'
import { type ProducerSchedule, packSchedule } from '../../../core/finality/legacy/schedule.ts'
import type { PendingSince } from '../../../core/finality/track.ts'
import { fromHex } from '../../../core/hex.ts'
import { writeSnapshot } from '../../support/snapshot-writer.ts'

export interface SnapshotBlock {
  id: string
  /** Packed `signed_block`. */
  block: Uint8Array
  tree: IncrementalMerkle
  active: PendingSince
  pending: PendingSince | null
  lastPending: { digest: Uint8Array; start: number }
}

/** Rows of `eosio::chain::block_state`, version 8. */
export function blockState({ id, block, tree, active, pending, lastPending }: SnapshotBlock): Uint8Array {
  const writer = new Writer()
  const flags = (...values: number[]) => {
    for (const value of values) writer.u8(value)
  }
  flags(0, 1) // no legacy state, a Savanna one
  writer.bytes(fromHex(id))
  writer.bytes(packBlockHeader(readBlockHeader(block).header))
  flags(0) // protocol features
  flags(1) // one link
  writer.bytes(new Uint8Array(9))
  flags(1) // one ref
  writer.bytes(new Uint8Array(76))
  writer.u32(0)
  flags(1)
  writer.bytes(packFinalizerPolicy(active.policy))
  flags(0, 0, 0) // proposer policies
  flags(0) // proposed
  flags(pending ? 1 : 0)
  if (pending) {
    writer.u32(pending.blockNum)
    flags(1)
    writer.bytes(packFinalizerPolicy(pending.policy))
  }
  flags(0)
  writer.u32((pending ?? active).policy.generation)
  writer.bytes(lastPending.digest)
  writer.u32(lastPending.start)
  flags(1)
  writer.u64(BigInt(tree.count))
  writer.varuint32(tree.peaks.length)
  for (const peak of tree.peaks) writer.bytes(peak)
  flags(1)
  writer.bytes(tree.root())
  return writer.finish()
}

/** A block before Savanna, with the node's data of the blocks before it. */
export interface LegacySnapshotBlock {
  id: string
  /** Packed `signed_block`. */
  block: Uint8Array
  nodes: readonly string[]
  count: number
  active: ProducerSchedule
  pending: ProducerSchedule
}

/** `snapshot_block_header_state_legacy_v3`. */
export function legacyState({ id, block, nodes, count, active, pending }: LegacySnapshotBlock): Uint8Array {
  const writer = new Writer()
  writer.u32(count + 1)
  writer.u32(count)
  writer.u32(count)
  writer.bytes(packSchedule(active))
  writer.varuint32(nodes.length)
  for (const node of nodes) writer.bytes(fromHex(node))
  writer.u64(BigInt(count))
  for (let maps = 2; maps > 0; maps--) {
    writer.varuint32(active.producers.length)
    for (const { producer } of active.producers) {
      writer.name(producer)
      writer.u32(count)
    }
  }
  // A producer's authority: the bytes that follow its name in a schedule.
  writer.bytes(packSchedule({ version: 0, producers: active.producers.slice(0, 1) }).subarray(4 + 1 + 8))
  writer.lengthBytes(new Uint8Array(21))
  writer.bytes(fromHex(id))
  const { length } = readBlockHeader(block)
  writer.bytes(block.subarray(0, length))
  writer.bytes(readSignatures(block, length)[0]!)
  writer.u32(count)
  writer.bytes(new Uint8Array(32))
  writer.bytes(packSchedule(pending))
  writer.u8(1)
  writer.varuint32(2)
  writer.bytes(new Uint8Array(64))
  writer.varuint32(0)
  return writer.finish()
}

export function snapshotFile(block: SnapshotBlock): Uint8Array {
  return fileOf(8, blockState(block))
}

/** @param version  8 as Spring writes it, 6 as Leap does */
export function legacySnapshotFile(version: 6 | 8, block: LegacySnapshotBlock): Uint8Array {
  const state = legacyState(block)
  return fileOf(version, version === 6 ? state : Buffer.concat([Uint8Array.of(1), state, Uint8Array.of(0)]))
}

function fileOf(version: number, state: Uint8Array): Uint8Array {
  const table = { code: 1n, scope: 2n, table: 3n, rows: [{ key: 4n, value: new Uint8Array(100_000).fill(7) }] }
  const accounts = [{ name: 1n, abi: new Uint8Array() }]
  return writeSnapshot({ version, blockState: state, chainId: 'ab'.repeat(32), accounts, tables: [table] })
}
