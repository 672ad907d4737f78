// Starts tracking a chain before Savanna at a later block than its first ones. Needs the nodes of the block-id tree and
// the schedules there, as in a node's `get_block_header_state`. The next block proves them: its producer has signed the
// tree's root and the schedule. Stored in `meta.legacy_starts`.

import { packPublicKey, readPublicKey } from '../../antelope/abi/keys.ts'
import { blockNumOf, readBlockHeader, readSignatures } from '../../antelope/block.ts'
import { Reader } from '../../antelope/reader.ts'
import { Writer } from '../../antelope/writer.ts'
import { HeadwaterError, UserError } from '../../errors.ts'
import { fromHex, toHex } from '../../hex.ts'
import { required } from '../../required.ts'
import { hashesOf } from '../rows.ts'
import { BlockRootTree } from './block-root.ts'
import {
  isSignedBy,
  type ProducerAuthority,
  type ProducerSchedule,
  packSchedule,
  readSchedule,
  scheduleHash,
  signingDigest,
} from './schedule.ts'
import type { LegacyLineage, LegacyTracked } from './track.ts'

export interface LegacyStart {
  lineage: LegacyLineage
  /** The active schedule and the pending one, if any. */
  schedules: readonly ProducerSchedule[]
}

/** A row of `meta.legacy_starts`, without its chain. */
export interface StoredLegacyStart {
  blockNum: bigint | number | string
  blockId: string
  peaks: Uint8Array
  schedules: Uint8Array
}

export function storedLegacyStart({ lineage, schedules }: LegacyStart): StoredLegacyStart {
  const writer = new Writer()
  for (const schedule of schedules) writer.lengthBytes(packSchedule(schedule))
  const { blockNum, blockId, tree } = lineage
  return { blockNum, blockId, peaks: Buffer.concat(tree.peaks), schedules: writer.finish() }
}

/** @throws DecodeError when the bytes end too early */
export function legacyStartOf({ blockNum, blockId, peaks, schedules: packed }: StoredLegacyStart): LegacyStart {
  const reader = new Reader(packed)
  const schedules: ProducerSchedule[] = []
  while (reader.remaining > 0) schedules.push(readSchedule(reader.lengthBytes()))
  const tree = BlockRootTree.fromPeaks(Number(blockNum), hashesOf(peaks))
  return { lineage: lineageAfter(blockId, tree), schedules }
}

/** The lineage at a start. The producer is unknown, so the next header will be stored. */
function lineageAfter(blockId: string, tree: BlockRootTree): LegacyLineage {
  return { blockNum: tree.count, blockId, tree, producer: '', scheduleVersion: 0 }
}

interface KeyJson {
  key: string
  weight: number
}

interface ScheduleJson {
  version: number
  producers: { producer_name: string; authority: [0 | string, { threshold: number; keys: KeyJson[] }] }[]
}

/** The fields of a node's `get_block_header_state` that a start needs. */
export interface LegacyStartJson {
  id: string
  blockroot_merkle: { _active_nodes: string[]; _node_count: number | string }
  active_schedule: ScheduleJson
  pending_schedule: { schedule: ScheduleJson }
}

/** Whether JSON looks like a start before Savanna. */
export const isLegacyStart = (json: unknown): json is Partial<LegacyStartJson> =>
  typeof json === 'object' && json !== null && 'blockroot_merkle' in json

/** @param parent  the tree of all block ids before the block */
export function legacyStartToJson({ lineage, schedules }: LegacyStart, parent: BlockRootTree): LegacyStartJson {
  const [active, pending] = schedules.map(scheduleJson)
  return {
    id: lineage.blockId,
    blockroot_merkle: { _active_nodes: parent.active().map(toHex), _node_count: parent.count },
    active_schedule: active ?? { version: 0, producers: [] },
    pending_schedule: { schedule: pending ?? { version: active?.version ?? 0, producers: [] } },
  }
}

function scheduleJson({ version, producers }: ProducerSchedule): ScheduleJson {
  const keysOf = (keys: ProducerAuthority['keys']) =>
    keys.map(({ key, weight }) => ({ key: readPublicKey(new Reader(key)), weight }))
  return {
    version,
    producers: producers.map(({ producer, threshold, keys }) => {
      return { producer_name: producer, authority: [0, { threshold, keys: keysOf(keys) }] }
    }),
  }
}

/**
 * A start at a block, from the state that its node has for it.
 *
 * @param nodes      nodes of the tree of ids before it: full subtrees, smallest first, then the root
 * @param schedules  the active schedule and the pending one, if any
 * @throws UserError INVALID_FINALITY_START
 */
export function legacyStartAt(
  id: string,
  count: number,
  nodes: readonly string[],
  schedules: readonly ProducerSchedule[],
): LegacyStart {
  const num = blockNumOf(id)
  if (num < 2 || count !== num - 1) throw invalid('has no id, or a tree of another number of ids than blocks before it')
  const before = BlockRootTree.fromActive(count, nodes.map(fromHex))
  if (before.active().map(toHex).join() !== nodes.join()) throw invalid('has other active nodes than a tree has')
  const known = schedules.filter(({ producers }) => producers.length > 0)
  if (known.length === 0) throw invalid('has no schedule')
  return { lineage: lineageAfter(id, before.append(fromHex(id))), schedules: known }
}

/** @throws UserError INVALID_FINALITY_START */
export function legacyStartFromJson(json: Partial<LegacyStartJson>): LegacyStart {
  const { id, blockroot_merkle: merkle, active_schedule: active, pending_schedule: pending } = json
  if (!isHash(id)) throw invalid('has no id of 64 hex digits')
  const nodes = merkle?._active_nodes
  if (!Array.isArray(nodes) || !nodes.every(isHash)) throw invalid('has no active nodes of 64 hex digits')
  return legacyStartAt(id, Number(merkle?._node_count), nodes, [active, pending?.schedule].map(scheduleOf))
}

const isHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)

function scheduleOf(json: Partial<ScheduleJson> | undefined): ProducerSchedule {
  const { version, producers } = json ?? {}
  if (!Number.isSafeInteger(version) || !Array.isArray(producers)) throw invalid('has no active and pending schedule')
  try {
    return {
      version: required(version, 'version'),
      producers: producers.map(({ producer_name, authority: [, { threshold, keys }] }) => ({
        producer: producer_name,
        threshold,
        keys: keys.map(({ key, weight }) => ({ key: packPublicKey(key), weight })),
      })),
    }
  } catch (error) {
    if (error instanceof HeadwaterError || error instanceof TypeError)
      throw invalid(`has a schedule that cannot be read: ${error.message}`)
    throw error
  }
}

/**
 * Whether the block after a start proves it: its producer has signed the tree and one of the schedules.
 *
 * @param tracked  the next block, tracked from the start
 * @param block    packed `signed_block`
 */
export function confirmsStart(
  { lineage, schedules }: LegacyStart,
  { header, schedule: proposed }: LegacyTracked,
  block: Uint8Array,
): boolean {
  const { length } = readBlockHeader(block)
  const authority = schedules
    .find(({ version }) => version === header.scheduleVersion)
    ?.producers.find(({ producer }) => producer === header.producer)
  if (!authority) return false
  const given = readSignatures(block, length)
  const root = lineage.tree.root()
  return [...schedules, ...(proposed ? [proposed] : [])].some((one) =>
    isSignedBy(authority, signingDigest(block.subarray(0, length), root, scheduleHash(one)), given),
  )
}

function invalid(what: string): UserError {
  return new UserError('INVALID_FINALITY_START', `the start ${what}`, {
    hint: 'take the answer of get_block_header_state for an irreversible block, a snapshot, or a file that `headwater finality --export` has written',
  })
}
