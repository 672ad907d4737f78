// Trades of markets of the feed: swaps of pools and fills of order books, of one chain or several, merged. The newest ones
// are in memory; older ones are read.
import type { ChainContext } from '../chain-context.ts'
import { poolTrades } from '../exchange/amm-feed/trades.ts'
import { spotTrades } from '../exchange/spot/trades.ts'
import type { TradeRange, TradeSide } from '../exchange/trade-range.ts'
import { readTogether } from '../market/together.ts'
import type { FeedMarket } from './market.ts'
import type { MergedPart } from './merge.ts'
import type { Trade } from './packed-trades.ts'
import type { RecentTrades } from './recent-trades.ts'

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

/** What is in memory of a chain. */
export type RecentOf = (context: ChainContext) => RecentTrades

/**
 * The newest trades of some markets, oldest first.
 *
 * @param parts     markets, each as it is or seen from its other token
 * @param tickerId  as which the trades are told
 * @throws HttpError 503 when a market and the database do not meet
 */
export async function feedTrades(
  parts: readonly MergedPart[],
  tickerId: string,
  range: TradeRange,
  recentOf: RecentOf,
): Promise<FeedTrade[]> {
  await Promise.all(groupsOf(parts, kindOf).map((group) => bring(group, recentOf)))
  const others: MergedPart[] = []
  const found: Placed[][] = []
  for (const part of parts) {
    const { type, id, context } = part.market
    const trades = recentOf(context).find(type, id, seenFrom(part, range))
    if (trades === null) others.push(part)
    else found.push(trades.map((trade) => placed(trade, part.market.poolId, part, tickerId)))
  }
  found.push(...(await Promise.all(groupsOf(others, statementOf).map((group) => read(group, tickerId, range)))))
  return found
    .flat()
    .sort(
      (x, y) => y.trade.time - x.trade.time || compare(y.sequence, x.sequence) || (x.trade.id < y.trade.id ? -1 : 1),
    )
    .slice(0, range.limit)
    .map(({ trade }) => trade)
    .reverse()
}

function groupsOf(parts: readonly MergedPart[], keyOf: (part: MergedPart) => string): MergedPart[][] {
  const groups = new Map<string, MergedPart[]>()
  for (const part of parts) {
    const key = keyOf(part)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [part])
    else group.push(part)
  }
  return [...groups.values()]
}

function kindOf({ market: { chain, type } }: MergedPart): string {
  return `${chain} ${type}`
}

/** Pools of one chain and one direction are read by one statement. */
function statementOf(part: MergedPart): string {
  return part.market.type === 'amm' ? `${kindOf(part)} ${part.isReversed}` : part.market.poolId
}

function bring(group: readonly MergedPart[], recentOf: RecentOf): Promise<void> {
  const { context, type } = (group[0] as MergedPart).market
  return recentOf(context).bring(
    type,
    group.map(({ market }) => market.id),
  )
}

async function read(group: readonly MergedPart[], tickerId: string, range: TradeRange): Promise<Placed[]> {
  const first = group[0] as MergedPart
  const { context, type, chain, id, poolId } = first.market
  const own = seenFrom(first, range)
  if (type === 'orderbook') {
    const page = await readTogether(context, () => spotTrades(context.pool, context.chain, id, own))
    return page.read.rows.map((trade) => placed(trade, poolId, first, tickerId))
  }
  const ids = group.map(({ market }) => market.id)
  const page = await readTogether(context, () => poolTrades(context.pool, context.chain, ids, own))
  return page.read.rows.map((trade) => placed(trade, `${chain}:amm:${trade.poolId}`, first, tickerId))
}

/** A range of trades as the market of a part has them. */
function seenFrom({ isReversed }: MergedPart, range: TradeRange): TradeRange {
  return isReversed && range.type !== undefined ? { ...range, type: other(range.type) } : range
}

function placed(
  { id: sequence, side, price, baseVolume, targetVolume, time, trxId }: Trade,
  poolId: string,
  { market: { chain, type }, isReversed }: MergedPart,
  tickerId: string,
): Placed {
  const own = isReversed
    ? { side: other(side), price: price === 0 ? 0 : 1 / price, baseVolume: targetVolume, targetVolume: baseVolume }
    : { side, price, baseVolume, targetVolume }
  const id = `${chain}:${type === 'amm' ? 'swap' : 'match'}:${sequence}`
  return { trade: { id, tickerId, poolId, ...own, time, trxId }, sequence: BigInt(sequence) }
}

/** All parts of a plain ticker are as they are. */
export function asTheyAre(markets: readonly FeedMarket[]): MergedPart[] {
  return markets.map((market) => ({ market, isReversed: false }))
}

function other(side: TradeSide): TradeSide {
  return side === 'buy' ? 'sell' : 'buy'
}

function compare(x: bigint, y: bigint): number {
  return x < y ? -1 : x > y ? 1 : 0
}
