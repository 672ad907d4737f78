// A token contract with the actions, tables and error texts of `eosio.token`.

import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { type Asset, symbolCodeToU64, type TokenSymbol } from '../../core/antelope/asset.ts'
import { nameToString } from '../../core/antelope/name.ts'
import type { Actions, Tables } from '../../core/contracts/token.ts'
import type { ApplyContext, Contract, TableStore } from '../chain/contract.ts'
import { abiFile } from './abi-file.ts'
import { membersOf, requireAuthority, type Transfer } from './actions.ts'

const MAX_AMOUNT = (1n << 62n) - 1n

export interface TokenOptions {
  /** Whether an account can receive tokens; default: every name can. */
  isAccount?: (name: string) => boolean
  /** An ABI that extends the ABI of `eosio.token`. */
  abi?: AbiDefinition
}

/** Balance of an account in raw units; 0 without a row. */
export function balanceOf(tables: Pick<TableStore, 'get'>, owner: string, code: string): bigint {
  return tables.get<Tables['accounts']>('accounts', owner, symbolCodeToU64(code))?.balance.amount ?? 0n
}

/** Row that describes a token; undefined when it was never created. */
export function statOf(tables: Pick<TableStore, 'get'>, code: string): Tables['stat'] | undefined {
  const raw = symbolCodeToU64(code)
  return tables.get<Tables['stat']>('stat', nameToString(raw), raw)
}

export class TokenContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition
  private readonly isAccount: (name: string) => boolean

  constructor(account: string, options: TokenOptions = {}) {
    this.account = account
    this.abi = options.abi ?? abiFile('eosio.token')
    this.isAccount = options.isAccount ?? (() => true)
  }

  apply(context: ApplyContext): void {
    if (context.action.account !== this.account) return
    const { name } = context.action
    if (name === 'transfer') this.transfer(context, membersOf<Actions['transfer']>(context.action))
    else if (name === 'issue') this.issue(context, membersOf<Actions['issue']>(context.action))
    else if (name === 'create') this.create(context, membersOf<Actions['create']>(context.action))
    else if (name === 'retire') this.retire(context, membersOf<Actions['retire']>(context.action))
    else if (name === 'open') this.open(context, membersOf<Actions['open']>(context.action))
    else if (name === 'close') this.close(context, membersOf<Actions['close']>(context.action))
    else this.other(context)
  }

  /** Additional actions of a subclass. */
  protected other(context: ApplyContext): void {
    context.check(false, `unknown action ${context.action.name}`)
  }

  private create(context: ApplyContext, { issuer, maximum_supply }: { issuer: string; maximum_supply: Asset }): void {
    requireAuthority(context, this.account)
    context.check(maximum_supply.amount > 0n, 'max-supply must be positive')
    context.check(!statOf(context.db, maximum_supply.symbol), 'token with symbol already exists')
    this.saveStat(context, { supply: { ...maximum_supply, amount: 0n }, max_supply: maximum_supply, issuer })
  }

  private issue(context: ApplyContext, { to, quantity }: { to: string; quantity: Asset }): void {
    const stat = this.stat(context, quantity)
    requireAuthority(context, stat.issuer)
    context.check(quantity.amount > 0n, 'must issue positive quantity')
    const supply = stat.supply.amount + quantity.amount
    context.check(supply <= stat.max_supply.amount, 'quantity exceeds available supply')
    this.saveStat(context, { ...stat, supply: { ...stat.supply, amount: supply } })
    this.add(context, to, quantity)
  }

  private retire(context: ApplyContext, { quantity }: { quantity: Asset }): void {
    const stat = this.stat(context, quantity)
    requireAuthority(context, stat.issuer)
    context.check(quantity.amount > 0n, 'must retire positive quantity')
    this.burn(context, stat.issuer, quantity)
  }

  private transfer(context: ApplyContext, { from, to, quantity, memo }: Transfer): void {
    context.check(from !== to, 'cannot transfer to self')
    requireAuthority(context, from)
    context.check(this.isAccount(to), 'to account does not exist')
    this.stat(context, quantity)
    context.notify(from)
    context.notify(to)
    context.check(quantity.amount > 0n, 'must transfer positive quantity')
    context.check(Buffer.byteLength(memo) <= 256, 'memo has more than 256 bytes')
    this.subtract(context, from, quantity)
    this.add(context, to, quantity)
  }

  private open(context: ApplyContext, data: { owner: string; symbol: TokenSymbol; ram_payer: string }): void {
    requireAuthority(context, data.ram_payer)
    const { code, precision } = data.symbol
    const stat = statOf(context.db, code)
    context.check(stat?.supply.precision === precision, 'symbol precision mismatch')
    const key = symbolCodeToU64(code)
    if (context.db.get('accounts', data.owner, key)) return
    context.db.set('accounts', data.owner, key, { balance: { amount: 0n, precision, symbol: code } })
  }

  private close(context: ApplyContext, { owner, symbol }: { owner: string; symbol: TokenSymbol }): void {
    requireAuthority(context, owner)
    const key = symbolCodeToU64(symbol.code)
    const row = context.db.get<Tables['accounts']>('accounts', owner, key)
    context.check(row !== undefined, "Balance row already deleted or never existed. Action won't have any effect.")
    context.check(row.balance.amount === 0n, 'Cannot close because the balance is not zero.')
    context.db.erase('accounts', owner, key)
  }

  private stat(context: ApplyContext, quantity: Asset): Tables['stat'] {
    const stat = statOf(context.db, quantity.symbol)
    context.check(stat !== undefined, 'unable to find key')
    context.check(stat.supply.precision === quantity.precision, 'symbol precision mismatch')
    return stat
  }

  private saveStat(context: ApplyContext, stat: Tables['stat']): void {
    const raw = symbolCodeToU64(stat.supply.symbol)
    context.db.set('stat', nameToString(raw), raw, stat)
  }

  private add(context: ApplyContext, owner: string, quantity: Asset): void {
    const key = symbolCodeToU64(quantity.symbol)
    const amount = balanceOf(context.db, owner, quantity.symbol) + quantity.amount
    context.check(amount <= MAX_AMOUNT, 'addition overflow')
    context.db.set('accounts', owner, key, { balance: { ...quantity, amount } })
  }

  /** Removes raw units from an account and from the supply. */
  protected burn(context: ApplyContext, owner: string, quantity: Asset): void {
    const stat = this.stat(context, quantity)
    this.subtract(context, owner, quantity)
    this.saveStat(context, { ...stat, supply: { ...stat.supply, amount: stat.supply.amount - quantity.amount } })
  }

  private subtract(context: ApplyContext, owner: string, quantity: Asset): void {
    const key = symbolCodeToU64(quantity.symbol)
    const row = context.db.get<Tables['accounts']>('accounts', owner, key)
    context.check(row !== undefined, 'no balance object found')
    const amount = row.balance.amount - quantity.amount
    context.check(amount >= 0n, 'overdrawn balance')
    context.db.set('accounts', owner, key, { balance: { ...quantity, amount } })
  }
}
