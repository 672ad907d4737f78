// Guesses the primary key of a row that a node lists without its key. By convention the key is the row's first member;
// table-reader.ts checks with the node whether a table follows the convention.
import { type Asset, symbolCodeToU64, type TokenSymbol } from '../../core/antelope/asset.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import { UserError } from '../../core/errors.ts'

const U64 = 1n << 64n

/** @returns the key by the row's first member, or null when its type cannot be a key */
export function keyOfRow(row: Record<string, unknown>): bigint | null {
  const first = Object.values(row)[0]
  if (typeof first === 'bigint') return first < U64 ? BigInt.asUintN(64, first) : null
  // Negative 32-bit numbers are cast to uint32.
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
