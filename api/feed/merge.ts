// Merges the markets of a pair of assets into one market, across chains and forms of their tokens. Pure.
import { type Asset, quoteOrder } from './assets.ts'
import type { FeedMarket, Figures } from './market.ts'

/** A market within a merged pair: in its own orientation, or reversed. */
export interface MergedPart {
  market: FeedMarket
  isReversed: boolean
}

/** Volumes and liquidity are sums over the parts; extremes are those of all parts; the rest is of the main part. */
export interface MergedMarket extends Figures {
  /** `<BASE>_<TARGET>`, the aggregator's symbols. */
  tickerId: string
  base: Asset
  target: Asset
  /** Most liquid first. */
  parts: MergedPart[]
  /** The most liquid part; source of the price and of the page. */
  main: MergedPart
  /** The most liquid order book; null when all parts are pools. */
  book: MergedPart | null
}

/**
 * @param markets  listed markets, most liquid first. A market is skipped if a token has no asset, or both have the same
 * @returns most liquid first
 */
export function mergeMarkets(markets: readonly FeedMarket[]): MergedMarket[] {
  const pairs = new Map<string, { base: Asset; target: Asset; parts: MergedPart[] }>()
  for (const market of markets) {
    const [own, other] = [market.base.asset, market.target.asset]
    if (own === null || other === null || own.id === other.id) continue
    const [base, target] = quoteOrder(own, other)
    const tickerId = `${base.symbol}_${target.symbol}`
    let pair = pairs.get(tickerId)
    if (pair === undefined) pairs.set(tickerId, (pair = { base, target, parts: [] }))
    pair.parts.push({ market, isReversed: base.id !== own.id })
  }
  const merged = [...pairs].map(([tickerId, pair]) => mergedMarket(tickerId, pair))
  return merged.sort((x, y) => y.liquidityUsd - x.liquidityUsd || (x.tickerId < y.tickerId ? -1 : 1))
}

function mergedMarket(
  tickerId: string,
  { base, target, parts }: Pick<MergedMarket, 'base' | 'target' | 'parts'>,
): MergedMarket {
  const main = parts[0] as MergedPart
  const book = parts.find(({ market }) => market.type === 'orderbook') ?? null
  const sum = (of: (part: MergedPart) => number) => parts.reduce((total, part) => total + of(part), 0)
  const highs = parts.flatMap((part) => known(orientedPrice(part, part.market.high, part.market.low)))
  const lows = parts.flatMap((part) => known(orientedPrice(part, part.market.low, part.market.high)))
  return {
    tickerId,
    base,
    target,
    parts,
    main,
    book,
    lastPrice: main.isReversed ? 1 / main.market.lastPrice : main.market.lastPrice,
    baseVolume: sum(({ market, isReversed }) => (isReversed ? market.targetVolume : market.baseVolume)),
    targetVolume: sum(({ market, isReversed }) => (isReversed ? market.baseVolume : market.targetVolume)),
    volumeUsd: sum(({ market }) => market.volumeUsd),
    liquidityUsd: sum(({ market }) => market.liquidityUsd),
    bid: book && orientedPrice(book, book.market.bid, book.market.ask),
    ask: book && orientedPrice(book, book.market.ask, book.market.bid),
    high: highs.length === 0 ? null : Math.max(...highs),
    low: lows.length === 0 ? null : Math.min(...lows),
    change: main.isReversed ? reversedChange(main.market.change) : main.market.change,
    isFrozen: parts.every(({ market }) => market.isFrozen),
  }
}

/** A price in the orientation of the merged pair: the market's own price, or the inverse of `opposite`. */
function orientedPrice({ isReversed }: MergedPart, own: number | null, opposite: number | null): number | null {
  const price = isReversed ? opposite : own
  return price === null || price === 0 ? null : isReversed ? 1 / price : price
}

function known(price: number | null): number[] {
  return price === null ? [] : [price]
}

/** The percent change of the inverse price. */
function reversedChange(percent: number): number {
  return percent <= -100 ? 0 : (100 * -percent) / (100 + percent)
}
