// Log actions of the bridge with their position in their block: burned withdrawals (`wdlog`) and locked deposits
// (`deplog`). Proofs to other chains start from them.

import { witnessHash } from '../antelope/digest.ts'
import { Reader } from '../antelope/reader.ts'
import { actionLeaves, type ExecutedAction } from './receipts.ts'

export type BridgeLogName = 'wdlog' | 'deplog'

export interface BridgeLog {
  name: BridgeLogName
  /** The withdrawal's id or the deposit's nonce: the first member of the log. */
  id: bigint
  /** Packed members of the action. */
  data: Uint8Array
  blockNum: number
  recvSequence: bigint
  /** Hash of the receipt's sequences. */
  witness: Uint8Array
  /** Index among the block's actions, in execution order. */
  index: number
  /** Leaves of the block's action tree. */
  leaves: readonly Uint8Array[]
}

/** Whether an action's name is the name of a bridge log. */
export const isBridgeLogName = (name: string): name is BridgeLogName => name === 'wdlog' || name === 'deplog'

/** Whether an executed action is a bridge log. An action that is too short for its first member is not. */
export function isBridgeLog({ receipt, action }: ExecutedAction, bridge: string): boolean {
  return (
    action.account === bridge && receipt.receiver === bridge && isBridgeLogName(action.name) && action.data.length >= 8
  )
}

/** Builds a log with its position. The action must satisfy `isBridgeLog`. */
export function logAt(
  blockNum: number,
  { action, receipt }: ExecutedAction,
  index: number,
  leaves: readonly Uint8Array[],
): BridgeLog {
  const { recvSequence } = receipt
  const id = new Reader(action.data).u64()
  const name = action.name as BridgeLogName
  return { name, id, data: action.data, blockNum, recvSequence, witness: witnessHash(receipt), index, leaves }
}

/**
 * Log actions of a block under Savanna.
 *
 * @param actions  all actions of the block, in execution order
 * @param bridge   account of the bridge
 */
export function bridgeLogsOf(blockNum: number, actions: readonly ExecutedAction[], bridge: string): BridgeLog[] {
  if (!actions.some((executed) => isBridgeLog(executed, bridge))) return []
  const leaves = actionLeaves(actions)
  return actions.flatMap((executed, index) =>
    isBridgeLog(executed, bridge) ? [logAt(blockNum, executed, index, leaves)] : [],
  )
}
