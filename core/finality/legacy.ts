// Follows a chain before Savanna block by block: the tree of all ids, headers with their signatures, producer schedules.
// Pure; a lineage is immutable, so that every branch of a fork goes on from its own. Begins with one of the first two
// blocks, or behind any block with the nodes of the tree there. Of headers, only those are kept that may confirm a block:
// the first of each producer's turn.
import {
  type BlockHeader,
  blockId,
  HEADER_EXTENSION,
  readBlockHeader,
  readSignatures,
  SAVANNA_SCHEDULE_VERSION,
} from '../antelope/block.ts'
import { actDigest, legacyActionDigest } from '../antelope/digest.ts'
import { BlockRootTree } from '../antelope/legacy/block-root.ts'
import { type ProducerSchedule, readSchedule } from '../antelope/legacy/schedule.ts'
import { legacyMerkleRoot } from '../antelope/merkle.ts'
import { DecodeError } from '../errors.ts'
import { fromHex, toHex } from '../hex.ts'
import { type BridgeLog, isBridgeLog, logAt } from './bridge-log.ts'
import type { ExecutedAction } from './receipts.ts'

/** What the child of a block has to know of it. */
export interface LegacyLineage {
  blockNum: number
  /** 64 hex digits. */
  blockId: string
  /** Of all ids up to the block's own: it has as many leaves as the block's number. */
  tree: BlockRootTree
  /** Empty where that is not known: the next header is kept then. */
  producer: string
  scheduleVersion: number
}

export interface SignedHeader {
  /** Packed. */
  header: Uint8Array
  /** Packed, of its producer. */
  signatures: readonly Uint8Array[]
}

export interface LegacyTracked {
  lineage: LegacyLineage
  header: BlockHeader
  /** Full nodes of the tree of ids that the block's own completes, from its id upwards. */
  nodes: readonly Uint8Array[]
  /** Null where the block confirms nothing that the one before it does not. */
  kept: SignedHeader | null
  /** The schedule that the header brings. */
  schedule: ProducerSchedule | null
}

/** Whether a header follows the rules of Savanna. */
export const isProper = ({ scheduleVersion }: BlockHeader): boolean => scheduleVersion === SAVANNA_SCHEDULE_VERSION

/** The lineage before the first or the second block of a chain. @param parentId  64 hex digits */
export function firstLineage(num: 1 | 2, parentId: string): LegacyLineage {
  const tree = num === 1 ? BlockRootTree.empty : BlockRootTree.empty.append(fromHex(parentId))
  return { blockNum: num - 1, blockId: parentId, tree, producer: '', scheduleVersion: 0 }
}

/**
 * The next block of a lineage.
 *
 * @param hasLogs  whether log actions of the bridge are in it: its header is kept then
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
  const brought = header.headerExtensions.find((one) => one.id === HEADER_EXTENSION.producerSchedule)
  const begins = producer !== parent.producer || scheduleVersion !== parent.scheduleVersion
  const isKept = begins || brought !== undefined || hasLogs
  const own = fromHex(id)
  const nodes = parent.tree.completed(own)
  return {
    lineage: { blockNum: num, blockId: id, tree: parent.tree.append(own, nodes), producer, scheduleVersion },
    header,
    nodes,
    // A copy: what is kept of a block must not hold on to the message that it came in.
    kept: isKept
      ? {
          header: Uint8Array.from(packed),
          signatures: readSignatures(block, length).map((one) => Uint8Array.from(one)),
        }
      : null,
    schedule: brought ? readSchedule(Uint8Array.from(brought.data)) : null,
  }
}

/** A log action of a block before Savanna: its leaf has the whole receipt. */
export interface LegacyBridgeLog extends BridgeLog {
  receipt: ExecutedAction['receipt']
}

/**
 * Log actions of a block before Savanna.
 *
 * @param actions  all of the block, in execution order
 * @param bridge   account of the bridge
 * @throws DecodeError FINALITY_MISMATCH when the actions are not those of the header
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
    const { action, receipt, returnValue } = actions[index]!
    // With the feature ACTION_RETURN_VALUE, and before it.
    const digests = [actDigest(action, returnValue), actDigest(action, null)].map(toHex)
    return !digests.includes(toHex(receipt.actDigest))
  }
  if (toHex(legacyMerkleRoot(leaves)) !== toHex(actionMroot) || logs.some(isWrong))
    throw mismatch(blockNum, `the actions of block ${blockNum} lead to another root than its header's`)
  return logs
}

function mismatch(block: number, message: string): DecodeError {
  return new DecodeError('FINALITY_MISMATCH', message, {
    hint: 'the node or the imported start is wrong: take another one',
    place: { block },
  })
}
