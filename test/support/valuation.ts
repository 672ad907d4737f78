// How tests value trades where no test says otherwise: one USD for one system token.
import { DEFAULT_THRESHOLD } from '../../core/price/threshold.ts'
import type { ValuationOptions } from '../../indexer/value/options.ts'

export const VALUATION: ValuationOptions = {
  systemToken: { contract: 'eosio.token', symbol: 'WAX', decimals: 8 },
  threshold: DEFAULT_THRESHOLD,
  trust: { stable: [], trusted: [], scam: [], minimumScore: 41 },
  usd: { kind: 'fixed', usd: 10n ** 16n },
}
