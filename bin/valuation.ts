// How a chain's trades are valued, from its configuration.
import { liquidityThreshold, trustLists } from '../config/pricing.ts'
import type { ChainConfig } from '../config/schema.ts'
import { parseUsdPrice, USD_PRICE_DIGITS } from '../core/price/token-price.ts'
import type { QuoteServer } from '../indexer/value/http-quotes.ts'
import type { UsdSourceOptions, ValuationOptions } from '../indexer/value/options.ts'

const MINUTE = 60_000

export function valuation(config: ChainConfig): ValuationOptions {
  const { systemToken, usdToken, accounts, tokens } = config
  const exchange = [accounts.amm, accounts.spot, accounts.otc].filter((account) => account !== undefined)
  return {
    systemToken,
    threshold: liquidityThreshold(config),
    trust: trustLists(config),
    usd: usdSource(config),
    scores: { usdToken, exchange, tokenContracts: tokens.contracts },
  }
}

/** The configuration is already validated: the source's required settings are set. */
function usdSource({ price, accounts }: ChainConfig): UsdSourceOptions | null {
  const maxAge = (price?.maxAgeMinutes ?? 0) * MINUTE
  switch (price?.source) {
    case 'oracle':
      return {
        kind: 'oracle',
        contract: accounts.oracle as string,
        pair: price.pair as string,
        decimals: price.decimals,
        maxAge,
      }
    case 'http':
      return { kind: 'http', maxAge }
    case 'fixed': {
      const usd = parseUsdPrice((price.usd as number).toFixed(USD_PRICE_DIGITS))
      return usd === null ? null : { kind: 'fixed', usd }
    }
    default:
      return null
  }
}

/** Servers that provide the USD price of the system token; none when it comes from another source. */
export function quoteServers({ price }: ChainConfig): QuoteServer[] {
  if (price?.source !== 'http') return []
  return [{ url: price.url as string, path: price.path as string }, ...price.fallbacks]
}
