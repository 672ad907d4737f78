// Links from a market to the other markets of its pair.
import { otherMarkets, type PairMarket, rarer } from '../core/same-pair.ts'
import { useShared } from '../data/answers.ts'
import { chain, to } from '../data/place.ts'
import type { Get, MarketPool } from '../data/types.ts'

export function SamePair({
  tokens,
  own,
}: {
  tokens: readonly [MarketPool['tokenA'], MarketPool['tokenA']]
  own: Pick<PairMarket, 'kind' | 'id'>
}) {
  const filter = `?token=${rarer(tokens).id}`
  const pools = useShared<Get<'/api/v3/market/pools'>>(chain.value, `/api/v3/market/pools${filter}`)
  const books = useShared<Get<'/api/v3/market/orderbooks'>>(chain.value, `/api/v3/market/orderbooks${filter}`)
  const others = pools === null || books === null ? [] : otherMarkets(tokens, own, { ...pools, ...books })
  if (others.length === 0) return <div class="same-pair" />
  return (
    <nav class="same-pair" aria-label="Other markets of this pair">
      <span class="quiet">Same pair:</span>
      {others.map(({ kind, id, label }) => (
        <a key={`${kind} ${id}`} href={to(kind, id)}>
          {label}
        </a>
      ))}
    </nav>
  )
}
