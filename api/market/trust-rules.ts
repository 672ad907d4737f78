// The lists of trust of a chain, from its configuration.
import type { ChainConfig } from '../../config/schema.ts'
import { tokenId } from '../../core/price/token-id.ts'
import { TrustRules } from '../../core/price/trust.ts'

/** Least token score of a trusted token. */
export const TRUSTED_SCORE = 40

export function trustRules({ systemToken, usdToken }: ChainConfig): TrustRules {
  return new TrustRules(tokenId(systemToken.symbol, systemToken.contract), {
    stable: usdToken === undefined ? [] : [usdToken],
    trusted: [],
    scam: [],
    minimumScore: TRUSTED_SCORE,
  })
}
