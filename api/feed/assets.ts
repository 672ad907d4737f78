// Which asset a token is: what the file of assets says, else the aggregator's own id of the token. Tokens of one id are
// one asset, whatever their chains. Pure.
import type { FeedAsset } from '../../config/feed-assets.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { tokenId } from '../../core/antelope/asset.ts'
import { currencyId } from './currency-id.ts'

export interface Asset {
  /** Id on the aggregator. */
  id: number
  /** Its symbol there; no two assets have the same. */
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

  /** The asset that a token counts as; null when the aggregator is not known to list it. */
  of(currency: string): Asset | null {
    return this.byCurrency.get(currency) ?? null
  }

  /** The aggregator's id of a token: its own where it has one, else that of its asset. */
  aggregatorId(currency: string): number | null {
    return this.ownIds.get(currency) ?? this.byCurrency.get(currency)?.id ?? null
  }

  /** What a chain counts its prices in is what pairs are quoted in. */
  private mark({ chain, usdToken, systemToken, trust }: ChainAssets): void {
    const mark = (token: string, kind: Asset['kind']) => {
      const asset = this.of(currencyId(chain, token))
      if (asset !== null) asset.kind ??= kind
    }
    for (const token of usdToken === undefined ? trust.stable : [usdToken, ...trust.stable]) mark(token, 'stable')
    mark(tokenId(systemToken.symbol, systemToken.contract), 'coin')
  }
}

/** An asset that no file names has the symbol of its token; where another has it, the id tells them apart. */
function newAsset(id: number, token: string, symbols: Set<string>): Asset {
  const own = token.slice(0, token.indexOf('-')).toUpperCase()
  const symbol = symbols.has(own) ? `${own}.${id}` : own
  symbols.add(symbol)
  return { id, symbol, name: own, kind: null }
}

const RANKS = { stable: 0, coin: 1 } as const

/**
 * How a pair of assets is quoted: in a stablecoin first, then in a chain coin, else in alphabetical order, as are two of
 * one kind.
 */
export function quoteOrder(x: Asset, y: Asset): [base: Asset, target: Asset] {
  const rank = ({ kind }: Asset) => (kind === null ? 2 : RANKS[kind])
  if (rank(x) !== rank(y)) return rank(x) < rank(y) ? [y, x] : [x, y]
  return x.symbol < y.symbol ? [x, y] : [y, x]
}
