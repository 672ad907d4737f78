// The parts of an ABI, with the member names of nodes' JSON.

interface AbiTypedef {
  new_type_name: string
  type: string
}

interface AbiField {
  name: string
  type: string
}

export interface AbiStruct {
  name: string
  /** Name of the base struct, whose fields come first; `''` for none. */
  base: string
  fields: AbiField[]
}

interface AbiAction {
  name: string
  type: string
  ricardian_contract?: string
}

export interface AbiTable {
  name: string
  type: string
  index_type?: string
  key_names?: string[]
  key_types?: string[]
}

interface AbiVariant {
  name: string
  types: string[]
}

interface AbiClause {
  id: string
  body: string
}

interface AbiErrorMessage {
  error_code: bigint
  error_msg: string
}

interface AbiExtension {
  tag: number
  /** Hex. */
  value: string
}

interface AbiActionResult {
  name: string
  result_type: string
}

/** An ABI of version `eosio::abi/1.x`. Type names may end in `[]`, `[N]`, `?` and, in fields, `$`. */
export interface AbiDefinition {
  version: string
  types: AbiTypedef[]
  structs: AbiStruct[]
  actions: AbiAction[]
  tables: AbiTable[]
  variants: AbiVariant[]
  ricardian_clauses?: AbiClause[]
  error_messages?: AbiErrorMessage[]
  abi_extensions?: AbiExtension[]
  action_results?: AbiActionResult[]
}
