// Writes the snapshot that a node would take of a simulated chain's last irreversible block: the section that matters,
// among others.
import { packBlockHeader, readBlockHeader } from '../../../core/antelope/block.ts'
import { packFinalizerPolicy } from '../../../core/antelope/finalizer-policy.ts'
import type { IncrementalMerkle } from '../../../core/antelope/merkle.ts'
import { Writer } from '../../../core/antelope/writer.ts'
import type { PendingSince } from '../../../core/finality/track.ts'
import { fromHex } from '../../../core/hex.ts'

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
function blockState({ id, block, tree, active, pending, lastPending }: SnapshotBlock): Uint8Array {
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

function section(name: string, rows: Uint8Array): Uint8Array {
  const writer = new Writer()
  writer.u64(BigInt(8 + name.length + 1 + rows.length))
  writer.u64(1n)
  writer.bytes(Buffer.from(`${name}\0`))
  writer.bytes(rows)
  return writer.finish()
}

export function snapshotFile(block: SnapshotBlock): Uint8Array {
  const start = new Writer()
  start.u32(0x30510550)
  start.u32(1)
  const end = Buffer.alloc(8, 0xff)
  const other = (name: string, size: number) => section(name, new Uint8Array(size).fill(7))
  return Buffer.concat([
    ...[start.finish(), other('eosio::chain::chain_snapshot_header', 4)],
    ...[section('eosio::chain::block_state', blockState(block)), other('contract_tables', 100_000), end],
  ])
}
