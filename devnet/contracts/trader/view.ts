// Inputs of the traffic generator: randomness, time, tables, fair prices.
import type { Asset } from '../../../core/antelope/asset.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import type { ActionCall, TableStore } from '../../chain/contract.ts'
import { call } from '../actions.ts'
import { AMM, amountOf } from '../exchange.ts'
import type { Profile, TokenSpec } from '../profile.ts'
import { balanceOf } from '../token.ts'

export type Tables = (account: string) => Pick<TableStore, 'get' | 'rows'>

export class View {
  readonly profile: Profile
  readonly random: () => number
  readonly tables: Tables
  /** Unix milliseconds. */
  readonly now: number
  /** Fair price of a token, USD. */
  readonly usd: (token: TokenSpec) => number

  constructor(profile: Profile, random: () => number, tables: Tables, now: number, usd: (token: TokenSpec) => number) {
    this.profile = profile
    this.random = random
    this.tables = tables
    this.now = now
    this.usd = usd
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T
  }

  /** A random number between two bounds, uniform in its logarithm. */
  between(low: number, high: number): number {
    return low * (high / low) ** this.random()
  }

  user(): string {
    return this.pick(this.profile.users)
  }

  /** Active pools of the profile, which have the first ids. Fair prices of other pools' tokens are unknown. */
  pools(): PoolRow[] {
    const { length } = this.profile.pools
    return this.tables(AMM)
      .rows<PoolRow>('pools', AMM)
      .filter(({ active, id }) => active && id < length)
  }

  token(contract: string, code: string): TokenSpec | undefined {
    return this.profile.tokens.find((token) => token.contract === contract && token.code === code)
  }

  /** Tokens worth some USD, at most a third of the owner's balance; null when that is zero. */
  affordable(owner: string, token: TokenSpec, value: number): Asset | null {
    const wanted = amountOf(token, value / this.usd(token))
    const limit = balanceOf(this.tables(token.contract), owner, token.code) / 3n
    const amount = wanted.amount < limit ? wanted.amount : limit
    return amount > 0n ? { ...wanted, amount } : null
  }
}

export function transfer(token: string, from: string, to: string, quantity: Asset, memo: string): ActionCall {
  return call(token, 'transfer', from, { from, to, quantity, memo })
}
