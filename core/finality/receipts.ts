// All executed actions of a block with their receipts, from packed `transaction_trace[]`: the leaves of its action root.
// State history lists actions by their ordinals; the root has them in the order in which they ran.

import { type ActionReceipt, actionDigest, type PackedAction, readReceipt } from '../antelope/digest.ts'
import { Reader } from '../antelope/reader.ts'
import { type ActionTrace, walkTransactionTraces } from '../antelope/traces.ts'

export interface ExecutedAction {
  receipt: ActionReceipt
  action: PackedAction
  /** Covered by the action's digest. */
  returnValue: Uint8Array
}

const NOTHING = new Uint8Array()

/**
 * Executed actions in execution order: ascending global sequence. They are views of a copy, because a source may
 * overwrite the traces after the block.
 *
 * @param traces  packed, as state history sends them
 * @throws DecodeError when the bytes end too early or hold a variant that is not known
 */
export function executedActions(traces: Uint8Array): ExecutedAction[] {
  const executed: ExecutedAction[] = []
  const copy = Uint8Array.from(traces)
  walkTransactionTraces(copy, {
    action: (trace, isInRoot) => {
      if (isInRoot && trace.receipt >= 0) executed.push(readAction(copy, trace))
    },
  })
  return executed.sort((a, b) => (a.receipt.globalSequence < b.receipt.globalSequence ? -1 : 1))
}

/** Leaves of the block's action tree. */
export function actionLeaves(actions: readonly ExecutedAction[]): Uint8Array[] {
  return actions.map(({ receipt, action }) => actionDigest(receipt, action))
}

function readAction(traces: Uint8Array, trace: ActionTrace): ExecutedAction {
  const { receipt, receiver, dataStart, dataEnd, returned, returnedEnd } = trace
  const reader = new Reader(traces, receiver + 8)
  const account = reader.name()
  const name = reader.name()
  const authorization: { actor: string; permission: string }[] = []
  for (let left = reader.varuint32(); left > 0; left--)
    authorization.push({ actor: reader.name(), permission: reader.name() })
  return {
    receipt: readReceipt(new Reader(traces, receipt)),
    action: { account, name, authorization, data: traces.subarray(dataStart, dataEnd) },
    returnValue: returnedEnd > returned ? new Reader(traces, returned).lengthBytes() : NOTHING,
  }
}
