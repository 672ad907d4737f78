// A chain's settings of prices and trust in the terms of core/price.
import type { LiquidityThreshold } from '../core/price/threshold.ts'
import type { ListEntry, TrustLists } from '../core/price/trust.ts'
import type { ChainConfig } from './schema.ts'

/** Which tokens are trusted, which are scams, and since when. */
export function trustLists({ usdToken, trust }: Pick<ChainConfig, 'usdToken' | 'trust'>): TrustLists {
  return {
    stable: usdToken === undefined ? trust.stable : [usdToken, ...trust.stable],
    trusted: trust.trusted.map(listEntry),
    scam: trust.scam.map(listEntry),
    minimumScore: trust.minimumScore,
  }
}

/** How much a pool must hold to price a token. */
export function liquidityThreshold({
  liquidityThreshold,
}: Pick<ChainConfig, 'liquidityThreshold'>): LiquidityThreshold {
  return liquidityThreshold
}

function listEntry({ token, from }: { token: string; from?: string }): ListEntry {
  return from === undefined ? { token } : { token, from: Date.parse(from) }
}
