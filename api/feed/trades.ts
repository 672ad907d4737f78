// Trades of markets of the feed: swaps of pools and fills of order books, of one chain or several, merged.
import { type PoolTrade, poolTrades } from '../exchange/amm-feed/trades.ts'
import { type SpotTrade, spotTrades } from '../exchange/spot/trades.ts'
import type { TradeRange, TradeSide } from '../exchange/trade-range.ts'
import type { FeedMarket } from './market.ts'
import type { MergedPart } from './merge.ts'

export interface FeedTrade {
  /** `<chain>:<swap|match>:<global sequence>`. */
  id: string
  tickerId: string
  poolId: string
  /** `buy`: base left the pool or the book. */
  side: TradeSide
  /** Target per base. */
  price: number
  baseVolume: number
  targetVolume: number
  /** Unix milliseconds. */
  time: number
  trxId: string
}

interface Placed {
  trade: FeedTrade
  sequence: bigint
}

/**
 * The newest trades of some markets, oldest first.
 *
 * @param parts     markets, each as it is or seen from its other token
 * @param tickerId  as which the trades are told
 */
export async function feedTrades(
  parts: readonly MergedPart[],
  tickerId: string,
  range: TradeRange,
): Promise<FeedTrade[]> {
  const found = await Promise.all([...poolReads(parts, tickerId, range), ...bookReads(parts, tickerId, range)])
  return found
    .flat()
    .sort(
      (x, y) => y.trade.time - x.trade.time || compare(y.sequence, x.sequence) || (x.trade.id < y.trade.id ? -1 : 1),
    )
    .slice(0, range.limit)
    .map(({ trade }) => trade)
    .reverse()
}

/** Pools of one chain and one direction are read by one statement. */
function* poolReads(parts: readonly MergedPart[], tickerId: string, range: TradeRange): Generator<Promise<Placed[]>> {
  const groups = new Map<string, MergedPart[]>()
  for (const part of parts.filter(({ market }) => market.type === 'amm')) {
    const key = `${part.market.chain} ${part.isReversed}`
    groups.set(key, [...(groups.get(key) ?? []), part])
  }
  for (const group of groups.values()) {
    const { market, isReversed } = group[0] as MergedPart
    const { chain, pool } = market.context
    const ids = group.map((part) => part.market.id)
    const own = { ...range, type: sideOf(range.type, isReversed) }
    const read = async () => {
      const page = await poolTrades(pool, chain, ids, own)
      return (page?.rows ?? []).map((one) =>
        placed(one, `${market.chain}:swap:${one.id}`, `${market.chain}:amm:${one.poolId}`, tickerId, isReversed),
      )
    }
    yield read()
  }
}

function* bookReads(parts: readonly MergedPart[], tickerId: string, range: TradeRange): Generator<Promise<Placed[]>> {
  for (const { market, isReversed } of parts) {
    if (market.type !== 'orderbook') continue
    const { chain, pool } = market.context
    const own = { ...range, type: sideOf(range.type, isReversed) }
    const read = async () => {
      const page = await spotTrades(pool, chain, market.id, own)
      return (page?.rows ?? []).map((one) =>
        placed(one, `${market.chain}:match:${one.id}`, market.poolId, tickerId, isReversed),
      )
    }
    yield read()
  }
}

function placed(
  { id: sequence, side, price, baseVolume, targetVolume, time, trxId }: PoolTrade | SpotTrade,
  id: string,
  poolId: string,
  tickerId: string,
  isReversed: boolean,
): Placed {
  const own = isReversed
    ? { side: other(side), price: price === 0 ? 0 : 1 / price, baseVolume: targetVolume, targetVolume: baseVolume }
    : { side, price, baseVolume, targetVolume }
  return { trade: { id, tickerId, poolId, ...own, time, trxId }, sequence: BigInt(sequence) }
}

/** All parts of a plain ticker are as they are. */
export function asTheyAre(markets: readonly FeedMarket[]): MergedPart[] {
  return markets.map((market) => ({ market, isReversed: false }))
}

function sideOf(side: TradeSide | undefined, isReversed: boolean): TradeSide | undefined {
  return side === undefined || !isReversed ? side : other(side)
}

function other(side: TradeSide): TradeSide {
  return side === 'buy' ? 'sell' : 'buy'
}

function compare(x: bigint, y: bigint): number {
  return x < y ? -1 : x > y ? 1 : 0
}
