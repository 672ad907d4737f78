// A token in the format of the API.
import type { ListOf } from '../../lists/live-list.ts'
import { touchedTokens } from '../../lists/touched.ts'
import type { MarketState, TokenRef } from '../../live-market/model.ts'

export interface TokenAnswer {
  id: string
  contract: string
  symbol: string
  decimals: number
  system_price: number
  usd_price: number
  score: number
  is_scam: boolean
  is_trusted: boolean
  safe_system_price: number
  safe_usd_price: number
  cmc_id?: number
}

/** A token in the format of the API; `cmc_id` is missing when the aggregator does not list it. */
export function tokenAnswer(
  { prices, aggregatorIds }: MarketState,
  { id, contract, symbol, decimals }: TokenRef,
): TokenAnswer {
  const quote = prices.quote(id)
  const listed = aggregatorIds.get(id)
  return {
    id,
    contract,
    symbol,
    decimals,
    system_price: quote.systemPrice,
    usd_price: quote.usdPrice ?? 0,
    score: prices.scores.get(id) ?? 0,
    is_scam: quote.isScam,
    is_trusted: quote.isTrusted,
    safe_system_price: quote.safeSystemPrice,
    safe_usd_price: quote.safeUsdPrice ?? 0,
    ...(listed === undefined ? {} : { cmc_id: listed }),
  }
}

/**
 * All tokens: highest score first, then the system token, then by the liquidity on which the price rests, then by id.
 */
export function tokensList(hideScam: boolean): ListOf<string, TokenRef> {
  return {
    key: `tokens ${hideScam}`,
    items: ({ tokens }) => tokens,
    rank({ prices }, { id }) {
      if (hideScam && prices.quote(id).isScam) return null
      const width = prices.byToken.get(id)?.width ?? -1n
      return [-(prices.scores.get(id) ?? 0), id === prices.systemToken.id ? 0 : 1, -width, id]
    },
    json: (state, token) => Buffer.from(JSON.stringify(tokenAnswer(state, token))),
    touched: touchedTokens,
  }
}
