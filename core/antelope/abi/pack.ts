// The packed format of an ABI, as in `setabi`.

import { fromHex } from '../../hex.ts'
import { Writer } from '../writer.ts'
import type { AbiDefinition } from './definition.ts'

/**
 * Packs an ABI with all members of the current node format.
 *
 * @throws UserError INVALID_NAME for an action or table with an invalid name
 */
export function packAbi(abi: AbiDefinition): Uint8Array {
  const w = new Writer(4096)
  const list = <T>(items: readonly T[] | undefined, item: (item: T) => void) => {
    w.varuint32(items?.length ?? 0)
    items?.forEach(item)
  }
  const text = (value: string) => w.string(value)
  w.string(abi.version)
  list(abi.types, (x) => {
    w.string(x.new_type_name)
    w.string(x.type)
  })
  list(abi.structs, (x) => {
    w.string(x.name)
    w.string(x.base)
    list(x.fields, (field) => {
      w.string(field.name)
      w.string(field.type)
    })
  })
  list(abi.actions, (x) => {
    w.name(x.name)
    w.string(x.type)
    w.string(x.ricardian_contract ?? '')
  })
  list(abi.tables, (x) => {
    w.name(x.name)
    w.string(x.index_type ?? 'i64')
    list(x.key_names, text)
    list(x.key_types, text)
    w.string(x.type)
  })
  list(abi.ricardian_clauses, (x) => {
    w.string(x.id)
    w.string(x.body)
  })
  list(abi.error_messages, (x) => {
    w.u64(x.error_code)
    w.string(x.error_msg)
  })
  list(abi.abi_extensions, (x) => {
    w.u16(x.tag)
    w.lengthBytes(fromHex(x.value))
  })
  list(abi.variants, (x) => {
    w.string(x.name)
    list(x.types, text)
  })
  list(abi.action_results, (x) => {
    w.name(x.name)
    w.string(x.result_type)
  })
  return w.finish()
}
