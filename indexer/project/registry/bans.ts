// Accounts that the exchange's contracts ban: a row for each account (AMM, OTC) or one row with a list (DEX).
import type { Tables as AmmTables } from '../../../core/contracts/amm.ts'
import type { Tables as DexTables } from '../../../core/contracts/dex.ts'
import { state, type TableProjection } from '../projection.ts'

export const ammBans: TableProjection<AmmTables, 'banlist'> = {
  contract: 'amm',
  table: 'banlist',
  current: (at) => ({ table: 'bans', key: { source: 'swap', rowId: at.primaryKey } }),
  rows: (r, at) => ({ state: [state('bans', at, { source: 'swap', rowId: at.primaryKey, accounts: [r.account] })] }),
}

export const otcBans: TableProjection<{ banned: { account: string } }, 'banned'> = {
  contract: 'otc',
  table: 'banned',
  current: (at) => ({ table: 'bans', key: { source: 'otc', rowId: at.primaryKey } }),
  rows: (r, at) => ({ state: [state('bans', at, { source: 'otc', rowId: at.primaryKey, accounts: [r.account] })] }),
}

export const dexBans: TableProjection<DexTables, 'ban'> = {
  contract: 'spot',
  table: 'ban',
  current: (at) => ({ table: 'bans', key: { source: 'dex', rowId: at.primaryKey } }),
  rows: (r, at) => ({ state: [state('bans', at, { source: 'dex', rowId: at.primaryKey, accounts: r.accounts })] }),
}
