// Maps tokens to assets of the market data aggregator. The configuration's list of assets decides; for a token that it
// does not name, the chain's configuration has the aggregator's id. Tokens with the same id are one asset, on any chain.
// Pure.
import type { FeedAsset } from '../../config/feed-assets.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { tokenId } from '../../core/antelope/asset.ts'
import { currencyId } from './currency-id.ts'

export interface Asset {
  /** The aggregator's id. */
  id: number
  /** Symbol of the asset, unique among assets. */
  symbol: string
  name: string
  kind: 'stable' | 'coin' | null
}

type ChainAssets = Pick<ChainConfig, 'chain' | 'aggregatorIds' | 'usdToken' | 'systemToken' | 'trust'>

export class Assets {
  private readonly byCurrency = new Map<string, Asset>()
  private readonly ownIds = new Map<string, number>()

  constructor(listed: readonly FeedAsset[], chains: readonly ChainAssets[]) {
    const byId = new Map<number, Asset>()
    const symbols = new Set<string>()
    for (const { symbol, name = symbol, id, kind = null, tokens } of listed) {
      symbols.add(symbol)
      if (id === undefined) continue
      const asset: Asset = { id, symbol, name, kind }
      byId.set(id, asset)
      for (const token of tokens) this.byCurrency.set(token, asset)
    }
    for (const { chain, aggregatorIds } of chains)
      for (const [token, id] of Object.entries(aggregatorIds).sort()) {
        const currency = currencyId(chain, token)
        this.ownIds.set(currency, id)
        if (this.byCurrency.has(currency)) continue
        const asset = byId.get(id) ?? newAsset(id, token, symbols)
        byId.set(id, asset)
        this.byCurrency.set(currency, asset)
      }
    for (const chain of chains) this.mark(chain)
  }

  /** The asset of a token; null if the aggregator is not known to list the token. */
  of(currency: string): Asset | null {
    return this.byCurrency.get(currency) ?? null
  }

  /** The aggregator's id of a token: the token's own id, else the id of its asset. */
  aggregatorId(currency: string): number | null {
    return this.ownIds.get(currency) ?? this.byCurrency.get(currency)?.id ?? null
  }

  /** Marks the assets in which a chain quotes prices: pairs are quoted in these. */
  private mark({ chain, usdToken, systemToken, trust }: ChainAssets): void {
    const mark = (token: string, kind: Asset['kind']) => {
      const asset = this.of(currencyId(chain, token))
      if (asset !== null) asset.kind ??= kind
    }
    for (const token of usdToken === undefined ? trust.stable : [usdToken, ...trust.stable]) mark(token, 'stable')
    mark(tokenId(systemToken.symbol, systemToken.contract), 'coin')
  }
}

/** An asset that is not in the file takes its token's symbol. If the symbol is taken, the id is appended. */
function newAsset(id: number, token: string, symbols: Set<string>): Asset {
  const own = token.slice(0, token.indexOf('-')).toUpperCase()
  const symbol = symbols.has(own) ? `${own}.${id}` : own
  symbols.add(symbol)
  return { id, symbol, name: own, kind: null }
}

const RANKS = { stable: 0, coin: 1 } as const

/**
 * Orders a pair of assets. Stablecoins are quote first, then chain coins; two assets of the same kind are in
 * alphabetical order.
 */
export function quoteOrder(x: Asset, y: Asset): [base: Asset, target: Asset] {
  const rank = ({ kind }: Asset) => (kind === null ? 2 : RANKS[kind])
  if (rank(x) !== rank(y)) return rank(x) < rank(y) ? [y, x] : [x, y]
  return x.symbol < y.symbol ? [x, y] : [y, x]
}
