// Tracks a chain before Savanna block by block: the tree of block ids, headers with their signatures, producer
// schedules. Pure; a lineage is immutable, so that branches of a fork can share it. Starts at one of the first two
// blocks, or after any block whose tree nodes are known. Stored are the first header of each
// producer's turn, since later ones confirm no further block, and headers with bridge logs or a new schedule.

import {
  type BlockHeader,
  blockId,
  HEADER_EXTENSION,
  readBlockHeader,
  readSignatures,
  SAVANNA_SCHEDULE_VERSION,
} from '../../antelope/block.ts'
import { actDigest, legacyActionDigest } from '../../antelope/digest.ts'
import { legacyMerkleRoot } from '../../antelope/merkle.ts'
import { DecodeError } from '../../errors.ts'
import { fromHex, toHex } from '../../hex.ts'
import { itemAt } from '../../required.ts'
import { type BridgeLog, isBridgeLog, logAt } from '../bridge-log.ts'
import type { ExecutedAction } from '../receipts.ts'
import { BlockRootTree } from './block-root.ts'
import { type ProducerSchedule, readSchedule } from './schedule.ts'

/** Data about a block that tracking its child needs. */
export interface LegacyLineage {
  blockNum: number
  /** 64 hex digits. */
  blockId: string
  /** Tree of all ids up to the block's own: its leaf count is the block's number. */
  tree: BlockRootTree
  /** Empty when unknown: the next header is then stored. */
  producer: string
  scheduleVersion: number
}

interface SignedHeader {
  /** Packed. */
  header: Uint8Array
  /** Packed signatures of its producer. */
  signatures: readonly Uint8Array[]
}

export interface LegacyTracked {
  lineage: LegacyLineage
  header: BlockHeader
  /** Full nodes of the id tree that this block completes, from its id upwards. */
  nodes: readonly Uint8Array[]
  /** Null when the header is not stored, because the block confirms no more than its parent. */
  kept: SignedHeader | null
  /** The schedule that the header proposes. */
  schedule: ProducerSchedule | null
}

/** Whether a header follows the rules of Savanna. */
export const isSavannaHeader = ({ scheduleVersion }: BlockHeader): boolean =>
  scheduleVersion === SAVANNA_SCHEDULE_VERSION

/** The lineage before the first or second block of a chain. @param parentId  64 hex digits */
export function firstLineage(num: 1 | 2, parentId: string): LegacyLineage {
  const tree = num === 1 ? BlockRootTree.empty : BlockRootTree.empty.append(fromHex(parentId))
  return { blockNum: num - 1, blockId: parentId, tree, producer: '', scheduleVersion: 0 }
}

/**
 * The next block of a lineage.
 *
 * @param hasLogs  whether the block has bridge logs: its header is then stored
 * @throws DecodeError FINALITY_MISMATCH, SCHEDULE_LAYOUT, or for bytes that cannot be read
 */
export function trackLegacy(
  parent: LegacyLineage,
  { num, id, block }: { num: number; id: string; block: Uint8Array },
  hasLogs: boolean,
): LegacyTracked {
  const { header, length } = readBlockHeader(block)
  const packed = block.subarray(0, length)
  if (header.previous !== parent.blockId || num !== parent.blockNum + 1 || blockId(packed, num) !== id)
    throw mismatch(num, `block ${num} does not follow ${parent.blockId}, or its bytes have another id`)
  const { producer, scheduleVersion } = header
  const proposed = header.headerExtensions.find((one) => one.id === HEADER_EXTENSION.producerSchedule)
  const begins = producer !== parent.producer || scheduleVersion !== parent.scheduleVersion
  const isStored = begins || proposed !== undefined || hasLogs
  const own = fromHex(id)
  const nodes = parent.tree.completed(own)
  return {
    lineage: { blockNum: num, blockId: id, tree: parent.tree.append(own, nodes), producer, scheduleVersion },
    header,
    nodes,
    // A copy, so that stored data do not keep the whole message in memory.
    kept: isStored
      ? {
          header: Uint8Array.from(packed),
          signatures: readSignatures(block, length).map((one) => Uint8Array.from(one)),
        }
      : null,
    schedule: proposed ? readSchedule(Uint8Array.from(proposed.data)) : null,
  }
}

/** A bridge log of a block before Savanna; its tree leaf covers the whole receipt. */
export interface LegacyBridgeLog extends BridgeLog {
  receipt: ExecutedAction['receipt']
}

/**
 * Log actions of a block before Savanna.
 *
 * @param actions  all actions of the block, in execution order
 * @param bridge   account of the bridge
 * @throws DecodeError FINALITY_MISMATCH when the actions do not match the header
 */
export function legacyLogsOf(
  blockNum: number,
  { actionMroot }: Pick<BlockHeader, 'actionMroot'>,
  actions: readonly ExecutedAction[],
  bridge: string,
): LegacyBridgeLog[] {
  if (!actions.some((executed) => isBridgeLog(executed, bridge))) return []
  const leaves = actions.map(({ receipt }) => legacyActionDigest(receipt))
  const logs = actions.flatMap((executed, index) =>
    isBridgeLog(executed, bridge) ? [{ ...logAt(blockNum, executed, index, leaves), receipt: executed.receipt }] : [],
  )
  const isWrong = ({ index }: BridgeLog) => {
    const { action, receipt, returnValue } = itemAt(actions, index)
    // With the protocol feature ACTION_RETURN_VALUE, and without it.
    const digests = [actDigest(action, returnValue), actDigest(action, null)].map(toHex)
    return !digests.includes(toHex(receipt.actDigest))
  }
  if (toHex(legacyMerkleRoot(leaves)) !== toHex(actionMroot) || logs.some(isWrong))
    throw mismatch(blockNum, `the actions of block ${blockNum} have a different root from its header`)
  return logs
}

function mismatch(block: number, message: string): DecodeError {
  return new DecodeError('FINALITY_MISMATCH', message, {
    hint: 'the node or the imported start is wrong: take another one',
    place: { block },
  })
}
