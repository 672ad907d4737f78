// Decoded values in a node's JSON format, by ABI type.

import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { type Asset, formatAsset, type TokenSymbol } from '../../core/antelope/asset.ts'
import { toHex } from '../../core/hex.ts'

/** Larger integers are printed as text. */
const MAX_PLAIN = 0xffff_ffffn

const integer = (value: unknown): unknown => {
  const wide = value as bigint
  return wide > MAX_PLAIN || wide < -MAX_PLAIN ? wide.toString() : Number(wide)
}
const text = (value: unknown): unknown => String(value)
const bytes = (value: unknown): unknown => toHex(value as Uint8Array)
const float = (value: unknown): unknown => (value as number).toFixed(17)

const time = (ms: number, digits: number): string => new Date(ms).toISOString().slice(0, digits)

const builtIn: Record<string, (value: unknown) => unknown> = {
  bool: (value) => (value ? 1 : 0),
  uint64: integer,
  int64: integer,
  uint128: text,
  int128: text,
  float32: float,
  float64: float,
  float128: (value) => `0x${bytes(value)}`,
  bytes,
  time_point_sec: (value) => time((value as number) * 1000, 19),
  time_point: (value) => time(Number((value as bigint) / 1000n), 23),
  block_timestamp_type: (value) => time(value as number, 23),
  asset: (value) => formatAsset(value as Asset),
  extended_asset: (value) => {
    const { quantity, contract } = value as { quantity: Asset; contract: string }
    return { quantity: formatAsset(quantity), contract }
  },
  symbol: (value) => {
    const { precision, code } = value as TokenSymbol
    return `${precision},${code}`
  },
}

/** A value of a type of an ABI. */
export function toNodeJson(abi: AbiDefinition, type: string, value: unknown): unknown {
  if (type.endsWith('$')) return toNodeJson(abi, type.slice(0, -1), value)
  if (type.endsWith('?')) return value === null ? null : toNodeJson(abi, type.slice(0, -1), value)
  const itemType = /^(.*)\[\d*\]$/.exec(type)?.[1]
  if (itemType !== undefined) return (value as unknown[]).map((item) => toNodeJson(abi, itemType, item))
  const alias = abi.types.find(({ new_type_name }) => new_type_name === type)
  if (alias) return toNodeJson(abi, alias.type, value)
  if (abi.variants.some(({ name }) => name === type)) {
    const [kind, content] = value as [string, unknown]
    return [kind, toNodeJson(abi, kind, content)]
  }
  const struct = abi.structs.find(({ name }) => name === type)
  if (struct) {
    const members = value as Record<string, unknown>
    const present = struct.fields.filter(({ name }) => members[name] !== undefined)
    return {
      ...(struct.base ? (toNodeJson(abi, struct.base, value) as object) : {}),
      ...Object.fromEntries(present.map((field) => [field.name, toNodeJson(abi, field.type, members[field.name])])),
    }
  }
  return builtIn[type]?.(value) ?? value
}
