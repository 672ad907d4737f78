// Compiles an ABI: types are checked at once, decoders and encoders compiled on first use.

import { DecodeError, HeadwaterError, UserError } from '../../errors.ts'
import { Writer } from '../writer.ts'
import { Cursor } from './cursor.ts'
import { compileDecoder, type Decoder } from './decoder.ts'
import type { AbiDefinition } from './definition.ts'
import { compileEncoder, type Encoder } from './encoder.ts'
import { valueFromJson } from './json.ts'
import { measure } from './measure.ts'
import { TypeGraph } from './types.ts'

/** Shared by all decoders: a decoder runs to its end without calling back. */
const cursor = new Cursor(new Uint8Array(0))

/** Shared by all encoders for the same reason. Replaced when it has grown too large. */
let writer = new Writer(1 << 12)
const MAX_REUSED = 1 << 20

interface TypeDecoder {
  type: string
  decode: Decoder
  /** Number of values in one value of the type. */
  cost: number
}

function run(decoder: TypeDecoder, data: Uint8Array, start: number, end: number): unknown {
  cursor.reset(data, start, end)
  cursor.spend(decoder.cost)
  const value = decoder.decode(cursor)
  if (cursor.pos === end) return value
  throw new DecodeError('TRAILING_BYTES', `${end - cursor.pos} bytes are left behind the ${decoder.type}`)
}

/**
 * Decodes and encodes by one ABI. Values, in both directions: integers up to 32 bits and floats are numbers, wider
 * integers bigint; names, texts, checksums (hex), keys, signatures, symbol codes and bit sets are strings; bytes and
 * float128 are byte arrays; assets and symbols are those of `asset.ts`; a `time_point` is a bigint of Unix
 * microseconds, a `time_point_sec` a `TimePoint`, a block time Unix milliseconds; an absent optional is null, an absent
 * extension undefined; a variant is `[type, value]`; a struct is an object with its fields in order, the base's fields
 * first.
 */
export class CompiledAbi {
  /** Type of each action, by name. */
  readonly actions: ReadonlyMap<string, string>
  /** Row type of each table, by name. */
  readonly tables: ReadonlyMap<string, string>
  private readonly graph: TypeGraph
  private readonly decoders = new Map<string, TypeDecoder>()
  private readonly actionDecoders = new Map<string, TypeDecoder>()
  private readonly rowDecoders = new Map<string, TypeDecoder>()
  private readonly encoders = new Map<string, Encoder>()

  /**
   * Checks the complete ABI.
   *
   * @throws DecodeError ABI_DUPLICATE, ABI_UNKNOWN_TYPE, ABI_RECURSIVE, ABI_TOO_DEEP, ABI_TOO_LARGE
   */
  constructor(abi: AbiDefinition) {
    this.graph = new TypeGraph(abi)
    this.actions = uniqueTypes(abi.actions, 'actions')
    this.tables = uniqueTypes(abi.tables, 'tables')
    for (const type of [...this.actions.values(), ...this.tables.values()]) this.graph.find(type)
    for (const node of this.graph.nodes) measure(node)
  }

  /**
   * Decodes a value. All bytes must belong to it.
   *
   * @param start offset of the value in `data`
   * @param end offset of the end, exclusive
   * @throws DecodeError with a code for the problem; UserError ABI_UNKNOWN_TYPE for a type that is not in this ABI
   */
  decode(type: string, data: Uint8Array, start = 0, end = data.length): unknown {
    return run(this.decoder(type), data, start, end)
  }

  /**
   * Decodes an action's members.
   *
   * @typeParam Members  their type, which the caller knows from the ABI (`core/contracts`)
   * @throws as `decode`, and DecodeError UNKNOWN_ACTION
   */
  decodeAction<Members = Record<string, unknown>>(
    name: string,
    data: Uint8Array,
    start = 0,
    end = data.length,
  ): Members {
    const decoder = this.actionDecoders.get(name) ?? this.addDecoder(this.actionDecoders, name, this.actionType(name))
    return run(decoder, data, start, end) as Members
  }

  /** Decodes a table row's members. @throws as `decode`, and DecodeError UNKNOWN_TABLE */
  decodeRow(table: string, data: Uint8Array, start = 0, end = data.length): Record<string, unknown> {
    const decoder = this.rowDecoders.get(table) ?? this.addDecoder(this.rowDecoders, table, this.rowType(table))
    return run(decoder, data, start, end) as Record<string, unknown>
  }

  /** Encodes a value. @throws UserError INVALID_VALUE and the codes of names, symbols and keys */
  encode(type: string, value: unknown): Uint8Array {
    const encode = this.encoders.get(type) ?? this.makeEncoder(type)
    if (writer.data.length > MAX_REUSED) writer = new Writer(1 << 12)
    writer.pos = 0
    try {
      encode(writer, value)
    } catch (error) {
      if (!(error instanceof HeadwaterError)) throw error
      throw new UserError(error.code, `${type}: ${error.message}`, { hint: error.hint, cause: error })
    }
    return writer.finish()
  }

  encodeAction(name: string, value: unknown): Uint8Array {
    return this.encode(this.actionType(name), value)
  }

  encodeRow(table: string, value: unknown): Uint8Array {
    return this.encode(this.rowType(table), value)
  }

  /** Members of an action from a server's JSON. @throws DecodeError INVALID_JSON_VALUE, UNKNOWN_ACTION */
  actionFromJson(name: string, json: unknown): Record<string, unknown> {
    return valueFromJson(this.graph.find(this.actionType(name)), json) as Record<string, unknown>
  }

  /** Members of a row from a server's JSON. @throws DecodeError INVALID_JSON_VALUE, UNKNOWN_TABLE */
  rowFromJson(table: string, json: unknown): Record<string, unknown> {
    return valueFromJson(this.graph.find(this.rowType(table)), json) as Record<string, unknown>
  }

  private actionType(name: string): string {
    const type = this.actions.get(name)
    if (type === undefined) throw new DecodeError('UNKNOWN_ACTION', `the ABI has no action ${name}`)
    return type
  }

  private rowType(table: string): string {
    const type = this.tables.get(table)
    if (type === undefined) throw new DecodeError('UNKNOWN_TABLE', `the ABI has no table ${table}`)
    return type
  }

  private decoder(type: string): TypeDecoder {
    const known = this.decoders.get(type)
    if (known) return known
    const node = this.graph.find(type)
    measure(node)
    const decoder = { type, decode: compileDecoder(node), cost: node.cost }
    this.decoders.set(type, decoder)
    return decoder
  }

  private addDecoder(decoders: Map<string, TypeDecoder>, name: string, type: string): TypeDecoder {
    const decoder = this.decoder(type)
    decoders.set(name, decoder)
    return decoder
  }

  private makeEncoder(type: string): Encoder {
    const node = this.graph.find(type)
    measure(node)
    const encoder = compileEncoder(node)
    this.encoders.set(type, encoder)
    return encoder
  }
}

/** @throws DecodeError as the constructor of CompiledAbi */
export function compileAbi(abi: AbiDefinition): CompiledAbi {
  return new CompiledAbi(abi)
}

function uniqueTypes(entries: readonly { name: string; type: string }[], what: string): Map<string, string> {
  const types = new Map(entries.map(({ name, type }) => [name, type]))
  if (types.size !== entries.length) throw new DecodeError('ABI_DUPLICATE', `two ${what} of the ABI have one name`)
  return types
}
