// Settings of the valuation of a chain.
import type { LiquidityThreshold } from '../../core/price/threshold.ts'
import type { TokenId } from '../../core/price/token-id.ts'
import type { UsdPrice } from '../../core/price/token-price.ts'
import type { TrustLists } from '../../core/price/trust.ts'

export interface ValuationOptions {
  systemToken: { contract: string; symbol: string; decimals: number }
  threshold: LiquidityThreshold
  trust: TrustLists
  /** Null: nothing gets a USD value. */
  usd: UsdSourceOptions | null
  /** How to score tokens at each hour of block time; without it, no token has a score. */
  scores?: ScoreOptions
}

export interface ScoreOptions {
  /** Token worth one USD. */
  usdToken?: TokenId
  /** Accounts of the exchange's contracts. They do not count as traders; their balances are the exchange's holdings. */
  exchange: readonly string[]
  /** Token contracts whose balances are stored. */
  tokenContracts: '*' | readonly string[]
}

/** Source of the system token's USD price. */
export type UsdSourceOptions =
  | { kind: 'fixed'; usd: UsdPrice }
  | {
      kind: 'oracle'
      contract: string
      pair: string
      /** Decimals of the oracle's values, 0 to 16. */
      decimals: number
      /** Block time after which a point expires, ms. */
      maxAge: number
    }
  | {
      /** Quotes that `quoteUsd` stores in meta.usd_quotes. */
      kind: 'http'
      /** Block time after which a quote expires, ms. */
      maxAge: number
    }
