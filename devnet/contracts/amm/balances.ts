// Internal balances: users' deposits for adding liquidity. Table `balances`, one scope per owner.
import type { ExtendedAsset } from '../../../core/antelope/asset.ts'
import { pay, requireAuthority } from '../actions.ts'
import { type BalanceRow, plus, sameToken, withAmount } from './rows.ts'
import type { AmmStore } from './store.ts'

export function deposit(store: AmmStore, owner: string, asset: ExtendedAsset): void {
  const row = find(store, owner, asset)
  const after = row
    ? { id: row.id, assetBalance: plus(row.assetBalance, asset.quantity.amount) }
    : newRow(store, owner, asset)
  store.db.set('balances', owner, after.id, after)
}

export function spend(store: AmmStore, owner: string, asset: ExtendedAsset): void {
  if (asset.quantity.amount === 0n) return
  const row = find(store, owner, asset)
  store.check(row !== undefined, 'Balance not found')
  store.check(row.assetBalance.quantity.amount >= asset.quantity.amount, 'Insufficient balance')
  const assetBalance = plus(row.assetBalance, -asset.quantity.amount)
  store.db.set('balances', owner, row.id, { id: row.id, assetBalance })
}

export function withdraw(store: AmmStore, { owner, assetInput }: { owner: string; assetInput: ExtendedAsset }): void {
  requireAuthority(store.context, owner)
  const row = find(store, owner, assetInput)
  store.check(row !== undefined, 'Balance not found')
  spend(store, owner, assetInput)
  pay(
    store.context,
    assetInput.contract,
    owner,
    withAmount(assetInput.quantity, assetInput.quantity.amount),
    'withdraw',
  )
}

function find(store: AmmStore, owner: string, asset: ExtendedAsset): BalanceRow | undefined {
  for (const row of store.db.rows<BalanceRow>('balances', owner)) if (sameToken(row.assetBalance, asset)) return row
  return undefined
}

function newRow(store: AmmStore, owner: string, assetBalance: ExtendedAsset): BalanceRow {
  let id = 0n
  for (const row of store.db.rows<BalanceRow>('balances', owner)) id = row.id + 1n
  return { id, assetBalance }
}
