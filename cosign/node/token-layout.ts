// Whether a contract's `transfer` has the layout of the standard token contract, by its ABI.
import type { Json } from '../../net/chain-api.ts'

const FIELDS = ['from:name', 'to:name', 'quantity:asset', 'memo:string']

/** @param answer  of `get_abi` */
export function isStandardTransfer({ abi }: Json): boolean {
  if (abi === undefined || abi === null) return false
  const { actions, structs, types } = abi as { actions: Json[]; structs: Json[]; types?: Json[] }
  const type = actions.find(({ name }) => name === 'transfer')?.type
  const struct = structs.find(({ name }) => name === type)
  if (struct === undefined || String(struct.base ?? '') !== '') return false
  const resolve = (name: unknown) => types?.find(({ new_type_name }) => new_type_name === name)?.type ?? name
  const fields = (struct.fields as Json[]).map(({ name, type }) => `${String(name)}:${String(resolve(type))}`)
  return fields.join() === FIELDS.join()
}
