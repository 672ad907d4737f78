// Finality before Savanna: producers sign the tree of all ids and a schedule. Immutable; a block's state is computed
// from its parent's.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { BlockRootTree } from '../../core/finality/legacy/block-root.ts'
import { type ProducerSchedule, scheduleHash, signingDigest } from '../../core/finality/legacy/schedule.ts'
import { fromHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { producerAt } from './producers.ts'

export interface DposState {
  /** Tree of all ids before the block. */
  before: BlockRootTree
  active: ProducerSchedule
  /** The pending schedule, and the block with it in its header. */
  pending: { schedule: ProducerSchedule; blockNum: number } | null
}

/** @param previous  id of the block before the first */
export function firstDpos(num: number, previous: string, names: readonly string[], seed: string): DposState {
  const count = num - 2
  const peaks = [...count.toString(2)].filter((bit) => bit === '1')
  const unknown = BlockRootTree.fromPeaks(
    count,
    peaks.map((_, i) => sha256(Buffer.from(`${seed}/ids/${i}`))),
  )
  return { before: unknown.append(fromHex(previous)), active: scheduleOf(1, names, seed), pending: null }
}

/**
 * @param parent     the parent's id, number and state
 * @param lib        last irreversible block; a schedule becomes active when its block is irreversible
 * @param producers  producers of the schedule in the block's header
 */
export function nextDpos(
  parent: { id: string; num: number; dpos: DposState },
  lib: number,
  producers: readonly string[] | null,
  seed: string,
): DposState {
  const { before, active, pending } = parent.dpos
  const takesOver = pending !== null && pending.blockNum <= lib
  const current = takesOver ? pending.schedule : active
  const waiting = takesOver ? null : pending
  if (producers && waiting) throw new RangeError('a schedule waits already')
  const schedule = producers && scheduleOf(current.version + 1, producers, seed)
  return {
    before: before.append(fromHex(parent.id)),
    active: current,
    pending: schedule ? { schedule, blockNum: parent.num + 1 } : waiting,
  }
}

/** Producer of a slot. */
export const dposProducer = ({ active }: DposState, slot: number): string =>
  producerAt(
    active.producers.map(({ producer }) => producer),
    slot,
  )

/** The signature of a block, packed. */
export function signBlock(packedHeader: Uint8Array, state: DposState, producer: string, seed: string): Uint8Array {
  const schedule = scheduleHash(state.pending?.schedule ?? state.active)
  const digest = signingDigest(packedHeader, state.before.root(), schedule)
  const compact = secp256k1.sign(digest, secretOf(producer, seed), { prehash: false, format: 'recovered' })
  const [recovery = 0, ...point] = compact
  return Uint8Array.of(0, recovery + 31, ...point)
}

function scheduleOf(version: number, names: readonly string[], seed: string): ProducerSchedule {
  const producers = names.map((producer) => {
    const key = Uint8Array.of(0, ...secp256k1.getPublicKey(secretOf(producer, seed), true))
    return { producer, threshold: 1, keys: [{ key, weight: 1 }] }
  })
  return { version, producers }
}

const secretOf = (producer: string, seed: string): Uint8Array => sha256(Buffer.from(`${seed}/signs/${producer}`))
