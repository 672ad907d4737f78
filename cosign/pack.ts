// Packs transactions in the chain's binary format.
import { Writer } from '../core/antelope/writer.ts'
import { UserError } from '../core/errors.ts'
import { Refusal } from './refusal.ts'
import { MAX_BYTES, type Unsigned } from './transaction.ts'

/** Packs without context-free actions, delay and extensions. @throws Refusal for an invalid name */
export function pack(transaction: Omit<Unsigned, 'delaySec' | 'contextFreeActions' | 'extensions'>): Uint8Array {
  const writer = new Writer(MAX_BYTES)
  writer.u32(transaction.expiration)
  writer.u16(transaction.refBlockNum)
  writer.u32(transaction.refBlockPrefix)
  writer.varuint32(transaction.maxNetUsageWords)
  writer.u8(transaction.maxCpuUsageMs)
  writer.varuint32(0)
  writer.varuint32(0)
  writer.varuint32(transaction.actions.length)
  for (const { account, name, authorization, data } of transaction.actions) {
    writeName(writer, account)
    writeName(writer, name)
    writer.varuint32(authorization.length)
    for (const { actor, permission } of authorization) {
      writeName(writer, actor)
      writeName(writer, permission)
    }
    writer.lengthBytes(data)
  }
  writer.varuint32(0)
  return writer.finish()
}

/** Writes a name from the sender's input. @throws Refusal */
export function writeName(writer: Writer, name: string): void {
  try {
    writer.name(name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new Refusal('body', `${name.slice(0, 20)} is no name`)
  }
}
