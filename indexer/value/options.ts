// What valuing a chain's trades needs to know.
import type { LiquidityThreshold } from '../../core/price/threshold.ts'
import type { TokenId } from '../../core/price/token-id.ts'
import type { UsdPrice } from '../../core/price/token-price.ts'
import type { TrustLists } from '../../core/price/trust.ts'

export interface ValuationOptions {
  systemToken: { contract: string; symbol: string; decimals: number }
  threshold: LiquidityThreshold
  trust: TrustLists
  /** Null: nothing is worth any USD. */
  usd: UsdSourceOptions | null
  /** How tokens are scored at each hour of chain time; without it none has a score. */
  scores?: ScoreOptions
}

export interface ScoreOptions {
  /** Token worth one USD. */
  usdToken?: TokenId
  /** Accounts of the exchange's contracts: no traders, and what they hold is the exchange's. */
  exchange: readonly string[]
  /** Token contracts whose balances are kept. */
  tokenContracts: '*' | readonly string[]
}

/** Where the USD price of the system token comes from. */
export type UsdSourceOptions =
  | { kind: 'fixed'; usd: UsdPrice }
  | {
      kind: 'oracle'
      contract: string
      pair: string
      /** Digits of the oracle's values behind the point, 0 to 16. */
      decimals: number
      /** Milliseconds of chain time after which a point says nothing any more. */
      maxAge: number
    }
  | {
      /** Quotes that `quoteUsd` keeps in meta.usd_quotes. */
      kind: 'http'
      /** Milliseconds of chain time after which a quote says nothing any more. */
      maxAge: number
    }
