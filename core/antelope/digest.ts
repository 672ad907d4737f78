// Digests of executed actions: the leaves of a block's action tree, under Savanna and before it.
// Layout: docs of Antelope's action_receipt; integers are little-endian, `auth_sequence` is in numeric order of names.

import { sha256 } from '../sha256.ts'
import { hashOf, preimage } from './preimage.ts'
import type { Reader } from './reader.ts'
import { Writer } from './writer.ts'

/** An action of a transaction, with packed data. */
export interface PackedAction {
  account: string
  name: string
  authorization: readonly { actor: string; permission: string }[]
  data: Uint8Array
}

/** `action_receipt_v0`. */
export interface ActionReceipt {
  receiver: string
  actDigest: Uint8Array
  globalSequence: bigint
  recvSequence: bigint
  /** Account and its sequence; accounts are unique and in numeric order of their names. */
  authSequence: readonly (readonly [account: string, sequence: bigint])[]
  codeSequence: number
  abiSequence: number
}

/** Account, name and authorizations, as a packed action begins. */
export function writeActionBase(writer: Writer, action: PackedAction): void {
  writer.name(action.account)
  writer.name(action.name)
  writer.varuint32(action.authorization.length)
  for (const { actor, permission } of action.authorization) {
    writer.name(actor)
    writer.name(permission)
  }
}

/** Hash of account, name and authorizations: the part of `actDigest` that does not depend on the data. */
export function actionBase(action: PackedAction): Uint8Array {
  const writer = preimage()
  writeActionBase(writer, action)
  return hashOf(writer)
}

/**
 * `act_digest` of a receipt.
 *
 * @param returnValue  bytes that the action returned (may be empty); null on chains without the protocol feature
 *   ACTION_RETURN_VALUE, which is always active under Savanna
 * @param base         `actionBase(action)`, if the caller has computed it
 */
export function actDigest(action: PackedAction, returnValue: Uint8Array | null, base?: Uint8Array): Uint8Array {
  if (returnValue === null) {
    const writer = preimage()
    writeActionBase(writer, action)
    writer.lengthBytes(action.data)
    return hashOf(writer)
  }
  const halves = new Uint8Array(64)
  halves.set(base ?? actionBase(action), 0)
  const payload = preimage()
  payload.lengthBytes(action.data)
  payload.lengthBytes(returnValue)
  halves.set(hashOf(payload), 32)
  return sha256(halves)
}

function writeSequences(writer: Writer, receipt: ActionReceipt): void {
  writer.varuint32(receipt.authSequence.length)
  for (const [account, sequence] of receipt.authSequence) {
    writer.name(account)
    writer.u64(sequence)
  }
  writer.varuint32(receipt.codeSequence)
  writer.varuint32(receipt.abiSequence)
}

/** Hash of a receipt's sequences: the part of an action's digest that a contract cannot predict. */
export function witnessHash(receipt: ActionReceipt): Uint8Array {
  const writer = preimage()
  writer.u64(receipt.globalSequence)
  writeSequences(writer, receipt)
  return hashOf(writer)
}

/** Leaf of a Savanna block's action tree. */
export function actionDigest(
  receipt: ActionReceipt,
  action: Pick<PackedAction, 'account' | 'name'>,
  witness: Uint8Array = witnessHash(receipt),
): Uint8Array {
  const writer = preimage()
  writer.name(receipt.receiver)
  writer.u64(receipt.recvSequence)
  writer.name(action.account)
  writer.name(action.name)
  writer.bytes(receipt.actDigest)
  writer.bytes(witness)
  return hashOf(writer)
}

/** Packs a receipt as its legacy digest covers it: `action_receipt_v0`. */
export function packReceipt(receipt: ActionReceipt): Uint8Array {
  const writer = new Writer()
  writeReceipt(writer, receipt)
  return writer.finish()
}

/** Reads a receipt packed by `packReceipt` or a node. @throws DecodeError when the bytes end too early */
export function readReceipt(reader: Reader): ActionReceipt {
  return {
    receiver: reader.name(),
    actDigest: reader.bytes(32),
    globalSequence: reader.u64(),
    recvSequence: reader.u64(),
    authSequence: Array.from({ length: reader.varuint32() }, () => [reader.name(), reader.u64()] as const),
    codeSequence: reader.varuint32(),
    abiSequence: reader.varuint32(),
  }
}

function writeReceipt(writer: Writer, receipt: ActionReceipt): void {
  writer.name(receipt.receiver)
  writer.bytes(receipt.actDigest)
  writer.u64(receipt.globalSequence)
  writer.u64(receipt.recvSequence)
  writeSequences(writer, receipt)
}

/** Leaf of a legacy block's action tree (`legacyMerkleRoot`). */
export function legacyActionDigest(receipt: ActionReceipt): Uint8Array {
  const writer = preimage()
  writeReceipt(writer, receipt)
  return hashOf(writer)
}
