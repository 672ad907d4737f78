// Primary keys of rows that a node lists without their keys. By convention the first member of a row is its key; whether
// a table keeps to that is asked of the node (table-reader.ts), this only says what the key would be.
import { type Asset, symbolCodeToU64, type TokenSymbol } from '../../core/antelope/asset.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import { UserError } from '../../core/errors.ts'

const U64 = 1n << 64n

/** @returns the key that the row's first member gives, or null when it is of no type that keys are made from */
export function keyOfRow(row: Record<string, unknown>): bigint | null {
  const first = Object.values(row)[0]
  if (typeof first === 'bigint') return first < U64 ? BigInt.asUintN(64, first) : null
  // Negative 32-bit numbers are cast to unsigned ones of the same width.
  if (typeof first === 'number') return Number.isInteger(first) ? BigInt.asUintN(32, BigInt(first)) : null
  try {
    if (typeof first === 'string') return nameToU64(first)
    const code = symbolOf(first)
    return code === null ? null : symbolCodeToU64(code)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** The symbol code of an asset, an extended asset or a symbol. */
function symbolOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const { symbol, code, quantity } = value as Partial<Asset & TokenSymbol & { quantity: Asset }>
  return quantity?.symbol ?? symbol ?? code ?? null
}
