// The section `block_state` of a simulated chain's snapshot, as nodes before Savanna write it.
import { BlockRootTree } from '../../core/finality/legacy/block-root.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { legacyState } from '../indexer/finality/snapshot-file.ts'

const SIGNATURE_BYTES = 66

/**
 * @param version  3 to 6 or 8: one layout; 2: one key for each producer
 * @param block    packed `signed_block`, and its id
 */
export function simulatedState(version: number, { id, block }: { id: string; block: Uint8Array }): Uint8Array {
  const num = Number.parseInt(id.slice(0, 8), 16)
  let tree = BlockRootTree.empty
  for (let count = 1; count < num; count++) tree = tree.append(new Uint8Array(32).fill(count % 251))
  const producers = [{ producer: 'eosio', threshold: 1, keys: [{ key: new Uint8Array(34).fill(2, 1), weight: 1 }] }]
  const schedule = { version: 0, producers }
  const nodes = tree.active().map(toHex)
  if (version === 2) return oldState(id, block, nodes, num - 1)
  const state = legacyState({ id, block, nodes, count: num - 1, active: schedule, pending: schedule })
  return version < 8 ? state : Buffer.concat([Buffer.of(1), state, Buffer.of(0)])
}

/** `snapshot_block_header_state_legacy_v2`. */
function oldState(id: string, block: Uint8Array, nodes: readonly string[], count: number): Uint8Array {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const key = Buffer.concat([Buffer.of(0), Buffer.alloc(33, 2)])
  const schedule = Buffer.concat([u32(0), Buffer.of(1), Buffer.alloc(8, 5), key])
  const leaves = Buffer.alloc(8)
  leaves.writeBigUInt64LE(BigInt(count))
  const produced = Buffer.concat([Buffer.of(1), Buffer.alloc(12)])
  const header = Buffer.from(block.subarray(0, headerBytes(block)))
  return Buffer.concat([
    ...[u32(count + 1), u32(count), u32(count), schedule, Buffer.of(nodes.length), ...nodes.map(fromHex), leaves],
    ...[produced, produced, key, Buffer.of(2, 1, 1), fromHex(id), header, Buffer.alloc(SIGNATURE_BYTES)],
    ...[u32(count), Buffer.alloc(32), schedule, Buffer.of(0)],
  ])
}

/** Bytes of a header without new producers: fixed members, a flag, and header extensions. */
function headerBytes(block: Uint8Array): number {
  const extensions = 4 + 8 + 2 + 32 * 3 + 4 + 1
  let at = extensions + 1
  for (let left = block[extensions]!; left > 0; left--) at += 3 + block[at + 2]!
  return at
}
