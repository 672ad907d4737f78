// All actions of a block with their receipts, from packed `transaction_trace[]`: the leaves of the block's action root.
// State history orders actions by ordinal; the root orders them by execution.

import { type ActionReceipt, actionDigest, type PackedAction, readReceipt } from '../antelope/digest.ts'
import { Reader } from '../antelope/reader.ts'
import { DecodeError } from '../errors.ts'

export interface ExecutedAction {
  receipt: ActionReceipt
  action: PackedAction
  /** The action's return value: its digest covers it. */
  returnValue: Uint8Array
}

const EXECUTED = 0
/** A failed deferred transaction: its error handler ran instead and counts. Savanna has none. */
const SOFT_FAIL = 1
const NOTHING = new Uint8Array()

/**
 * Executed actions in execution order: ascending global sequence.
 *
 * @param traces  packed, as state history sends them
 * @throws DecodeError when the bytes end too early or contain an unknown variant
 */
export function executedActions(traces: Uint8Array): ExecutedAction[] {
  const reader = new Reader(traces)
  const executed: ExecutedAction[] = []
  for (let left = reader.varuint32(); left > 0; left--) readTransaction(reader, executed)
  return executed.sort((a, b) => (a.receipt.globalSequence < b.receipt.globalSequence ? -1 : 1))
}

/** Leaves of the block's action tree. */
export function actionLeaves(actions: readonly ExecutedAction[]): Uint8Array[] {
  return actions.map(({ receipt, action }) => actionDigest(receipt, action))
}

function variant(reader: Reader, highest: number, what: string): number {
  const index = reader.varuint32()
  if (index > highest) throw new DecodeError('UNKNOWN_VARIANT', `variant ${index} of ${what} is not known`)
  return index
}

/** Reads an optional: calls `read` if the value is present. */
function optional<T>(reader: Reader, read: () => T): T | null {
  return reader.flag() ? read() : null
}

function times(reader: Reader, read: () => void): void {
  for (let left = reader.varuint32(); left > 0; left--) read()
}

function readTransaction(reader: Reader, executed: ExecutedAction[] | null): void {
  variant(reader, 0, 'transaction_trace')
  reader.bytes(32)
  const status = reader.u8()
  reader.u32()
  reader.varuint32()
  reader.bytes(16) // elapsed, net_usage
  reader.u8()
  const into = status === EXECUTED || status === SOFT_FAIL ? executed : null
  times(reader, () => {
    const action = readActionTrace(reader)
    if (action) into?.push(action)
  })
  optional(reader, () => reader.bytes(16)) // account_ram_delta
  optional(reader, () => reader.lengthBytes())
  optional(reader, () => reader.u64())
  optional(reader, () => readTransaction(reader, null))
  optional(reader, () => readPartial(reader))
}

function readPartial(reader: Reader): void {
  variant(reader, 0, 'partial_transaction')
  reader.bytes(10) // expiration, ref_block_num, ref_block_prefix
  reader.varuint32()
  reader.u8()
  reader.varuint32()
  times(reader, () => {
    reader.u16()
    reader.lengthBytes()
  })
  times(reader, () => skipSignature(reader))
  times(reader, () => reader.lengthBytes())
}

function skipSignature(reader: Reader): void {
  const type = reader.u8()
  reader.bytes(65)
  if (type !== 2) return
  reader.lengthBytes()
  reader.lengthBytes()
}

function readActionTrace(reader: Reader): ExecutedAction | null {
  const version = variant(reader, 1, 'action_trace')
  reader.varuint32()
  reader.varuint32()
  const receipt = optional(reader, () => readVersioned(reader))
  reader.u64()
  const account = reader.name()
  const name = reader.name()
  const authorization: { actor: string; permission: string }[] = []
  times(reader, () => authorization.push({ actor: reader.name(), permission: reader.name() }))
  const data = reader.lengthBytes()
  reader.u8() // context_free
  reader.bytes(8) // elapsed
  reader.lengthBytes() // console
  times(reader, () => reader.bytes(16)) // account_ram_deltas
  optional(reader, () => reader.lengthBytes())
  optional(reader, () => reader.u64())
  const returnValue = version === 1 ? reader.lengthBytes() : NOTHING
  return receipt && { receipt, action: { account, name, authorization, data }, returnValue }
}

function readVersioned(reader: Reader): ActionReceipt {
  variant(reader, 0, 'action_receipt')
  return readReceipt(reader)
}
