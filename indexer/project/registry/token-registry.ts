// The on-chain token registry: its rows as they are, for logos and names.
import { type Asset, formatAsset } from '../../../core/antelope/asset.ts'
import { toHex } from '../../../core/hex.ts'
import { state, type TableProjection } from '../projection.ts'

export const registryTokens: TableProjection<object> = {
  contract: 'registry',
  table: 'tokens',
  rows: (r, at) => ({ state: [state('registry_tokens', at, { rowId: at.primaryKey, data: json(r) })] }),
}

/** Decoded values as JSON has them: wide integers and assets as text, bytes as hexadecimal digits. */
function json(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return toHex(value)
  if (Array.isArray(value)) return value.map(json)
  if (value === null || typeof value !== 'object') return value
  if (isAsset(value)) return formatAsset(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, json(member)]))
}

function isAsset(value: object): value is Asset {
  return 'amount' in value && 'precision' in value && 'symbol' in value
}
