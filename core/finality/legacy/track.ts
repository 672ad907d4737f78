// Tracks a chain before Savanna block by block: the tree of block ids, headers with signatures, and producer schedules.
// It starts at one of the first two blocks, or after any block whose tree nodes are known. Pure: a lineage is immutable,
// so that branches of a fork can share it.
//
// Three kinds of headers are stored: the first one of each producer's turn, because the later ones of the turn confirm no
// further block; headers of blocks with bridge logs; and headers that propose a schedule.

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

/** State after a block, from which its child is tracked. */
export interface LegacyLineage {
  blockNum: number
  /** 64 hex digits. */
  blockId: string
  /** Tree of the ids of all blocks up to and including this block, so its number of leaves is the block number. */
  tree: BlockRootTree
  /** Account; empty if unknown, and then the next header is stored. */
  producer: string
  scheduleVersion: number
}

interface SignedHeader {
  /** The packed header. */
  header: Uint8Array
  /** Packed signatures of the producer. */
  signatures: readonly Uint8Array[]
}

export interface LegacyTracked {
  lineage: LegacyLineage
  header: BlockHeader
  /** Nodes of the id tree whose subtrees this block completes, from the leaf upwards. */
  nodes: readonly Uint8Array[]
  /** The header to store; null if it is not stored, because the block confirms no more than its parent. */
  storedHeader: SignedHeader | null
  /** The schedule that the header proposes; null if there is none. */
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
 * Tracks the block after a lineage.
 *
 * @param block    packed header, followed by its signatures
 * @param hasLogs  whether the block has bridge logs: then its header is stored
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
  const proposed = header.headerExtensions.find((extension) => extension.id === HEADER_EXTENSION.producerSchedule)
  const isTurnStart = producer !== parent.producer || scheduleVersion !== parent.scheduleVersion
  const isStored = isTurnStart || proposed !== undefined || hasLogs
  const leaf = fromHex(id)
  const nodes = parent.tree.completed(leaf)
  return {
    lineage: { blockNum: num, blockId: id, tree: parent.tree.append(leaf, nodes), producer, scheduleVersion },
    header,
    nodes,
    // Copies, because a view would keep the whole message in memory.
    storedHeader: isStored
      ? {
          header: Uint8Array.from(packed),
          signatures: readSignatures(block, length).map((signature) => Uint8Array.from(signature)),
        }
      : null,
    schedule: proposed ? readSchedule(Uint8Array.from(proposed.data)) : null,
  }
}

/** A bridge log of a block before Savanna. The leaf of the action tree is a digest of the whole receipt. */
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
    // The digest with the protocol feature ACTION_RETURN_VALUE, and the digest without it.
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
