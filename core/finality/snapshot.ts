// Where to start following a chain, from a node's snapshot: its section `eosio::chain::block_state` (version 8), which has
// the peaks of the finality tree and the finalizer policies at the snapshot's block. Checks what the section tells twice;
// whether it belongs to the chain shows when later blocks claim the snapshot's (`checkClaim`).

import { blockId, blockNumOf, readBlockHeader } from '../antelope/block.ts'
import { type FinalizerPolicy, finalizerPolicyDigest, readFinalizerPolicy } from '../antelope/finalizer-policy.ts'
import { IncrementalMerkle } from '../antelope/merkle.ts'
import { Reader } from '../antelope/reader.ts'
import { DecodeError } from '../errors.ts'
import { toHex } from '../hex.ts'
import type { FinalityStart } from './start.ts'
import { lineageAt, type PendingSince } from './track.ts'

const invalid = (what: string): DecodeError =>
  new DecodeError('INVALID_SNAPSHOT', `the block state of the snapshot ${what}`, {
    hint: 'take a snapshot of a Spring node (version 8) under Savanna',
  })

/**
 * Reads the section.
 *
 * @throws DecodeError INVALID_SNAPSHOT when it is of a chain before Savanna or contradicts itself
 */
export function readSnapshotStart(section: Uint8Array): FinalityStart {
  const reader = new Reader(section)
  const legacy = reader.flag()
  if (legacy || !reader.flag()) throw invalid('is from before Savanna')
  const id = toHex(reader.bytes(32))
  const blockNum = blockNumOf(id)
  const from = reader.pos
  const { header, length } = readBlockHeader(section.subarray(from))
  reader.skip(length)
  if (blockId(section.subarray(from, from + length), blockNum) !== id) throw invalid('has a header with another id')
  if (reader.flag()) for (let left = reader.varuint32(); left > 0; left--) reader.bytes(32) // protocol features
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
  if (reader.remaining > 0) throw invalid(`has ${reader.remaining} bytes too many`)
  const last = pending?.policy ?? active
  if (last.generation !== generation || toHex(finalizerPolicyDigest(last)) !== toHex(lastPending.digest)) {
    throw invalid('has another last pending policy')
  }
  if (toHex(roots.at(-1)!) !== toHex(tree.root())) throw invalid('has peaks that lead to another root')
  const policies = [sinceOf(active, pending ? 0 : lastPending.start, 0)]
  if (pending) policies.push(sinceOf(pending.policy, lastPending.start, pending.blockNum))
  const { timestamp } = header
  const genesis = blockNum - tree.count + 1
  return { lineage: lineageAt({ genesis, blockNum, timestamp, peaks: tree.peaks, lastPending }), policies, blockId: id }
}

function sinceOf(policy: FinalizerPolicy, start: number, blockNum: number): PendingSince {
  return { policy, digest: finalizerPolicyDigest(policy), start, blockNum }
}

/** A block's number and, where it is there, a policy. */
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
    reader.varuint32() // block_signing_authority_v0
    reader.u32()
    for (let keys = reader.varuint32(); keys > 0; keys--) {
      const type = reader.u8()
      reader.bytes(33)
      if (type === 2) {
        reader.u8()
        reader.lengthBytes()
      }
      reader.u16()
    }
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
