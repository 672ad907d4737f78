// Hits of the search field from the analytics' search in pools and tokens. Takes the requests as a function.
import type { Kind } from '../core/addresses.ts'
import { percent, usd } from '../core/numbers.ts'
import type { Get } from '../data/types.ts'

export interface Hit {
  kind: Kind
  id: string
  title: string
  detail: string
}

type Ask = <T>(path: string) => Promise<T>

const MAX_OF_KIND = 5

/** Pools and tokens that match a text, largest first. @throws the errors of `ask` */
export async function readHits(ask: Ask, text: string): Promise<Hit[]> {
  const search = `search=${encodeURIComponent(text)}&limit=${MAX_OF_KIND}&window=24h`
  const [tokens, pools] = await Promise.all([
    ask<Get<'/api/v3/analytics/tokens'>>(`/api/v3/analytics/tokens?sort=tvl&${search}`),
    ask<Get<'/api/v3/analytics/pools'>>(`/api/v3/analytics/pools?sort=tvl&${search}`),
  ])
  return [
    ...tokens.items.map(
      ({ id, symbol, contract }): Hit => ({ kind: 'token', id, title: symbol, detail: `Token of ${contract}` }),
    ),
    ...pools.items.map(
      ({ id, tokenA, tokenB, fee, liquidity }): Hit => ({
        kind: 'pool',
        id: String(id),
        title: `${tokenA.symbol}/${tokenB.symbol}`,
        detail: `Pool ${id} · ${percent(fee / 10_000)} · ${usd(liquidity.tvl)}`,
      }),
    ),
  ]
}
