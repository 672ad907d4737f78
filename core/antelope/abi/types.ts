// The types of an ABI as a graph, with names resolved and typedefs and base structs expanded.

import { DecodeError } from '../../errors.ts'
import { BUILTINS, type Builtin } from './builtins.ts'
import type { AbiDefinition, AbiStruct } from './definition.ts'

interface Measured {
  /** Number of the node within its ABI; part of the generated function's name. */
  id: number
  /** Fixed size in bytes, or -1. */
  size: number
  /** Minimum size in bytes. */
  min: number
  /** Maximum number of values read for one value of the type; a list of variable length counts once. */
  cost: number
  /** Nesting depth of structs and variants, including this one. */
  depth: number
  /** Whether a value can contain further values of this type: decoders count their nesting. */
  recursive: boolean
}

interface BuiltinNode extends Measured {
  kind: 'builtin'
  builtin: Builtin
}

interface StructField {
  name: string
  type: TypeNode
  /** Binary extension: may be absent at the end of the bytes. */
  extension: boolean
}

export interface StructNode extends Measured {
  kind: 'struct'
  name: string
  fields: StructField[]
}

interface VariantNode extends Measured {
  kind: 'variant'
  name: string
  alternatives: { name: string; type: TypeNode }[]
}

interface ListNode extends Measured {
  kind: 'list'
  of: TypeNode
  /** Number of items, or -1 when the length precedes them. */
  count: number
}

interface OptionalNode extends Measured {
  kind: 'optional'
  of: TypeNode
}

export type TypeNode = BuiltinNode | StructNode | VariantNode | ListNode | OptionalNode

/** Maximum length of a chain of bases, typedefs or suffixes. */
const CHAIN_LIMIT = 32
const FIELD_LIMIT = 100_000
const FIXED_LIST = /\[(\d{1,9})\]$/

/** Resolves type names to nodes. All structs and variants are resolved at once, so that errors are found early. */
export class TypeGraph {
  /** All nodes, ordered by id. */
  readonly nodes: TypeNode[] = []
  private readonly known = new Map<string, TypeNode>()
  private readonly typedefs = new Map<string, string>()
  private readonly structs = new Map<string, AbiStruct>()
  private readonly variants = new Map<string, string[]>()
  private fieldCount = 0

  /** @throws DecodeError ABI_DUPLICATE, ABI_UNKNOWN_TYPE, ABI_RECURSIVE, ABI_TOO_LARGE */
  constructor(abi: AbiDefinition) {
    const taken = new Set<string>()
    const claim = (name: string) => {
      if (taken.has(name)) throw new DecodeError('ABI_DUPLICATE', `the ABI defines ${show(name)} twice`)
      taken.add(name)
    }
    for (const struct of abi.structs) {
      claim(struct.name)
      this.structs.set(struct.name, struct)
    }
    for (const variant of abi.variants) {
      claim(variant.name)
      this.variants.set(variant.name, variant.types)
    }
    for (const typedef of abi.types) {
      claim(typedef.new_type_name)
      this.typedefs.set(typedef.new_type_name, typedef.type)
    }
    for (const name of taken) this.resolve(name)
    for (let id = 0; id < this.nodes.length; id++) this.fill(this.nodes[id] as TypeNode)
  }

  /** Node of a type name, such as `asset`, `pair[]` or `name?`. */
  find(type: string): TypeNode {
    const first = this.nodes.length
    const node = this.resolve(type)
    for (let id = first; id < this.nodes.length; id++) this.fill(this.nodes[id] as TypeNode)
    return node
  }

  private resolve(type: string, links = 0): TypeNode {
    const known = this.known.get(type)
    if (known) return known
    if (links > CHAIN_LIMIT) throw new DecodeError('ABI_RECURSIVE', `the ABI never ends at ${show(type)}`)
    const node = this.make(type, links + 1)
    this.known.set(type, node)
    return node
  }

  private make(type: string, links: number): TypeNode {
    const builtin = BUILTINS.get(type)
    if (builtin) {
      return this.add({ kind: 'builtin', builtin, ...blank, size: builtin.size, min: builtin.min, cost: 1 })
    }
    if (type.endsWith('?')) return this.add({ kind: 'optional', of: this.resolve(type.slice(0, -1), links), ...blank })
    if (type.endsWith('[]')) {
      return this.add({ kind: 'list', of: this.resolve(type.slice(0, -2), links), count: -1, ...blank })
    }
    const fixed = FIXED_LIST.exec(type)
    if (fixed) {
      const of = this.resolve(type.slice(0, -fixed[0].length), links)
      return this.add({ kind: 'list', of, count: Number(fixed[1]), ...blank })
    }
    const typedef = this.typedefs.get(type)
    if (typedef !== undefined) return this.resolve(typedef, links)
    if (this.variants.has(type)) return this.add({ kind: 'variant', name: type, alternatives: [], ...blank })
    if (this.structs.has(type)) return this.add({ kind: 'struct', name: type, fields: [], ...blank })
    throw new DecodeError('ABI_UNKNOWN_TYPE', `the ABI uses the type ${show(type)} and does not define it`)
  }

  private add<T extends TypeNode>(node: T): T {
    node.id = this.nodes.length
    this.nodes.push(node)
    return node
  }

  /** Resolves the members of a struct or variant. Separate from `make`, so that chains of structs do not nest calls. */
  private fill(node: TypeNode): void {
    if (node.kind === 'variant') {
      for (const name of this.variants.get(node.name) ?? []) {
        node.alternatives.push({ name, type: this.resolve(name) })
        this.count(1)
      }
    } else if (node.kind === 'struct') {
      for (const { name, type } of this.fieldsOf(node.name)) {
        const extension = type.endsWith('$')
        node.fields.push({ name, type: this.resolve(extension ? type.slice(0, -1) : type), extension })
      }
    }
  }

  private fieldsOf(name: string): AbiStruct['fields'] {
    const chain: AbiStruct[] = []
    for (let next = name; next !== ''; ) {
      const struct = this.structs.get(this.resolveTypedefs(next))
      if (!struct) {
        throw new DecodeError(
          'ABI_UNKNOWN_TYPE',
          `${show(name)} of the ABI has the base ${show(next)}, which is no struct`,
        )
      }
      if (chain.length >= CHAIN_LIMIT || chain.includes(struct)) {
        throw new DecodeError('ABI_RECURSIVE', `${show(name)} of the ABI never ends its line of base structs`)
      }
      chain.unshift(struct)
      next = struct.base
    }
    const fields = chain.flatMap((struct) => struct.fields)
    this.count(fields.length)
    if (new Set(fields.map((field) => field.name)).size !== fields.length) {
      throw new DecodeError('ABI_DUPLICATE', `${show(name)} of the ABI has two fields of one name`)
    }
    return fields
  }

  private resolveTypedefs(type: string): string {
    let name = type
    for (let links = 0; links < CHAIN_LIMIT; links++) {
      const target = this.typedefs.get(name)
      if (target === undefined) return name
      name = target
    }
    throw new DecodeError('ABI_RECURSIVE', `the ABI never ends at ${show(type)}`)
  }

  private count(fields: number): void {
    this.fieldCount += fields
    if (this.fieldCount > FIELD_LIMIT) {
      throw new DecodeError('ABI_TOO_LARGE', `the ABI has more than ${FIELD_LIMIT} fields`)
    }
  }
}

const blank = { id: 0, size: -1, min: 0, cost: 0, depth: 0, recursive: false }

/** A name from the chain for an error message: quoted and shortened. */
function show(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}...` : name)
}
