// Tokens of the standard layout: transfers, balances, supplies. Ignores contracts with an action or table of the same
// name but another layout, such as the transfer of an NFT contract.
import { type Asset, symbolCodeOf } from '../../../core/antelope/asset.ts'
import type { Actions, Tables } from '../../../core/contracts/token.ts'
import {
  type ActionProjection,
  type BlockContext,
  hourOf,
  lastingState,
  ledger,
  type RowPlace,
  state,
  type TableProjection,
} from '../projection.ts'

export const transfer: ActionProjection<Actions, 'transfer'> = {
  contract: 'token',
  action: 'transfer',
  rows: (a, at, contract, context) => {
    if (!isTransfer(a)) return {}
    if (a.to === context.bridgeAccount) context.bridgeSenders.set(at.trxId, { account: a.from, quantity: a.quantity })
    if (!context.isTokenWatched(contract)) return {}
    return {
      ledger: [
        ledger('transfers', at, {
          contract,
          symbol: a.quantity.symbol,
          decimals: a.quantity.precision,
          fromAccount: a.from,
          toAccount: a.to,
          amount: a.quantity.amount,
          memo: a.memo,
        }),
      ],
    }
  },
}

export const balances: TableProjection<Tables, 'accounts'> = {
  contract: 'token',
  table: 'accounts',
  current: (at, context) =>
    keepsBalance(at, context)
      ? { table: 'balances', key: { contract: at.code, symbol: symbolCodeOf(at.primaryKey), account: at.scope } }
      : null,
  rows: (r, at, context) => {
    if (!isAsset(r.balance)) return {}
    if (!keepsBalance(at, context)) return {}
    const { symbol, precision, amount } = r.balance
    const [contract, account, decimals, hour] = [at.code, at.scope, precision, hourOf(at.blockTime)]
    // A removed row ends the balance of its hour; earlier hours stay. Written out, because most rows are balances.
    const left = at.present ? amount : 0n
    return {
      state: [
        state('balances', at, { contract, symbol, account, decimals, amount }),
        lastingState('balance_hours', { contract, symbol, account, hour, decimals, amount: left }),
      ],
    }
  },
}

export const supplies: TableProjection<Tables, 'stat'> = {
  contract: 'token',
  table: 'stat',
  current: (at, context) =>
    context.isTokenWatched(at.code)
      ? { table: 'supplies', key: { contract: at.code, symbol: symbolCodeOf(at.primaryKey) } }
      : null,
  rows: (r, at, context) => {
    if (!isAsset(r.supply) || !isAsset(r.max_supply) || !isName(r.issuer)) return {}
    if (!context.isTokenWatched(at.code)) return {}
    return {
      state: [
        state('supplies', at, {
          contract: at.code,
          symbol: r.supply.symbol,
          decimals: r.supply.precision,
          supply: r.supply.amount,
          maxSupply: r.max_supply.amount,
          issuer: r.issuer,
        }),
      ],
    }
  },
}

function keepsBalance({ code, scope }: RowPlace, context: BlockContext): boolean {
  return context.isTokenWatched(code) || context.exchangeAccounts.has(scope)
}

const NAME = /^[a-z1-5.]{0,13}$/
const SYMBOL = /^[A-Z]{1,7}$/

/** Checks the types of a transfer, because any contract may have an action with this name. */
function isTransfer({ from, to, quantity, memo }: { [member in keyof Actions['transfer']]?: unknown }): boolean {
  return isName(from) && isName(to) && typeof memo === 'string' && isAsset(quantity)
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && NAME.test(value)
}

/** Whether a value is a decoded asset, not a contract's own struct with the same member names. */
function isAsset(value: unknown): value is Asset {
  if (typeof value !== 'object' || value === null) return false
  const { amount, precision, symbol } = value as Partial<Asset>
  if (typeof amount !== 'bigint' || BigInt.asIntN(64, amount) !== amount) return false
  return (
    Number.isInteger(precision) &&
    (precision as number) >= 0 &&
    (precision as number) <= 255 &&
    SYMBOL.test(String(symbol))
  )
}
