// Decoded values as JSON has them.
import { type Asset, formatAsset } from '../../core/antelope/asset.ts'
import { toHex } from '../../core/hex.ts'

/** Wide integers and assets become text, bytes hexadecimal digits; members keep their names and order. */
export function json(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return toHex(value)
  if (Array.isArray(value)) return value.map(json)
  if (value === null || typeof value !== 'object') return value
  if (isAsset(value)) return formatAsset(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, json(member)]))
}

function isAsset(value: object): value is Asset {
  const { amount, precision, symbol } = value as Partial<Asset>
  return typeof amount === 'bigint' && typeof precision === 'number' && typeof symbol === 'string'
}
