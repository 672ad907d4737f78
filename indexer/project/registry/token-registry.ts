// The on-chain token registry: unchanged rows, for logos and names.
import type { Tables } from '../../../core/contracts/registry.ts'
import { json } from '../json.ts'
import { state, type TableProjection } from '../projection.ts'

export const registryTokens: TableProjection<Tables, 'tokens'> = {
  contract: 'registry',
  table: 'tokens',
  current: (at) => ({ table: 'registry_tokens', key: { rowId: at.primaryKey } }),
  rows: (r, at) => ({ state: [state('registry_tokens', at, { rowId: at.primaryKey, data: json(r) })] }),
}
