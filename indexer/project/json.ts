// Converts decoded values to JSON.
import { type Asset, formatAsset, type TokenSymbol } from '../../core/antelope/asset.ts'
import { TimePoint } from '../../core/antelope/time-point.ts'
import { toHex } from '../../core/hex.ts'

/**
 * Wide integers, assets and symbols (`8,WAX`) become text, bytes hexadecimal digits, times Unix seconds. Members keep
 * their names and order.
 */
export function json(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return toHex(value)
  if (Array.isArray(value)) return value.map(json)
  if (value === null || typeof value !== 'object') return value
  if (value instanceof TimePoint) return value.seconds
  if (isAsset(value)) return formatAsset(value)
  if (isSymbol(value)) return `${value.precision},${value.code}`
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, json(member)]))
}

function isAsset(value: object): value is Asset {
  const { amount, precision, symbol } = value as Partial<Asset>
  return typeof amount === 'bigint' && typeof precision === 'number' && typeof symbol === 'string'
}

function isSymbol(value: object): value is TokenSymbol {
  const { precision, code } = value as Partial<TokenSymbol>
  return typeof precision === 'number' && typeof code === 'string' && Object.keys(value).length === 2
}
