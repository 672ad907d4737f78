// Where the trade links of tickers lead: `/spot/<ticker>` to the market, `/swap/<ticker>` to the pool of the pair with the
// most tokens. They are the links in `trade_url` while no site of the exchange is configured.
import type { LivePool, MarketState } from '../../live-market/model.ts'

/**
 * Path of the page behind a trade link.
 *
 * @param ticker  `<base id>_<target id>`, any case
 * @returns null when nothing trades the pair
 */
export function tradePage(kind: 'spot' | 'swap', ticker: string, { books, pools }: MarketState): string | null {
  const pair = ticker.toLowerCase()
  if (kind === 'spot') {
    const book = [...books.values()].find(({ base, target }) => `${base.id}_${target.id}` === pair)
    return book === undefined ? null : `/market/${book.id}`
  }
  const [one, other] = pair.split('_')
  const ofPair = [...pools.values()].filter(
    ({ a, b }) => (a.id === one && b.id === other) || (a.id === other && b.id === one),
  )
  const [best] = ofPair.sort((x, y) => Number(y.active) - Number(x.active) || compare(y, x, one as string))
  return best === undefined ? null : `/pool/${best.id}`
}

/** Order by what two pools of a pair hold of a token. */
function compare(x: LivePool, y: LivePool, token: string): number {
  const [held, other] = [x, y].map(({ a, reserveA, reserveB }) => (a.id === token ? reserveA : reserveB))
  return Number((held ?? 0n) > (other ?? 0n)) - Number((held ?? 0n) < (other ?? 0n))
}
