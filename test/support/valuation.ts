// The default valuation of trades in tests: one USD per system token.
import { DEFAULT_THRESHOLD } from '../../core/price/threshold.ts'
import type { ValuationOptions } from '../../indexer/value/options.ts'

export const VALUATION: ValuationOptions = {
  systemToken: { contract: 'eosio.token', symbol: 'WAX', decimals: 8 },
  threshold: DEFAULT_THRESHOLD,
  trust: { stable: [], trusted: [], scam: [], minimumScore: 41 },
  usd: { kind: 'fixed', usd: 10n ** 16n },
}
