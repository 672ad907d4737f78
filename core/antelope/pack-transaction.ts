// Packs transactions of an Antelope chain.
import { fromHex } from '../hex.ts'
import { type PackedAction, writeActionBase } from './digest.ts'
import { Writer } from './writer.ts'

export interface TransactionHeader {
  /** Unix seconds. */
  expiration: number
  refBlockNum: number
  refBlockPrefix: number
}

export function writeAction(writer: Writer, action: PackedAction): void {
  writeActionBase(writer, action)
  writer.lengthBytes(action.data)
}

/** Reference to a recent block, as in a transaction's header. */
export function referenceTo(id: string): Pick<TransactionHeader, 'refBlockNum' | 'refBlockPrefix'> {
  const bytes = fromHex(id)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { refBlockNum: view.getUint16(2), refBlockPrefix: view.getUint32(8, true) }
}

const scratch = new Writer(1 << 12)

/** Packed, without signatures. */
export function packTransaction(header: TransactionHeader, actions: readonly PackedAction[]): Uint8Array {
  const writer = scratch
  writer.pos = 0
  writer.u32(header.expiration)
  writer.u16(header.refBlockNum)
  writer.u32(header.refBlockPrefix)
  writer.varuint32(0) // max_net_usage_words
  writer.u8(0) // max_cpu_usage_ms
  writer.varuint32(0) // delay_sec
  writer.varuint32(0) // context_free_actions
  writer.varuint32(actions.length)
  for (const action of actions) writeAction(writer, action)
  writer.varuint32(0) // transaction_extensions
  return writer.finish()
}
