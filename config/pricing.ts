// Converts a chain's price and trust settings to the types of core/price.
import type { LiquidityThreshold } from '../core/price/threshold.ts'
import type { ListEntry, TrustLists } from '../core/price/trust.ts'
import type { ChainConfig } from './schema.ts'

/** Trusted tokens and scam tokens, each with its start time. */
export function trustLists({ usdToken, trust }: Pick<ChainConfig, 'usdToken' | 'trust'>): TrustLists {
  return {
    stable: usdToken === undefined ? trust.stable : [usdToken, ...trust.stable],
    trusted: trust.trusted.map(listEntry),
    scam: trust.scam.map(listEntry),
    minimumScore: trust.minimumScore,
  }
}

/** Minimum value of a pool that may price a token. */
export function liquidityThreshold({
  liquidityThreshold,
}: Pick<ChainConfig, 'liquidityThreshold'>): LiquidityThreshold {
  return liquidityThreshold
}

function listEntry({ token, from }: { token: string; from?: string }): ListEntry {
  return from === undefined ? { token } : { token, from: Date.parse(from) }
}
