// Trades of markets of the feed: swaps of pools and fills of order books, of one or several chains, merged. The newest
// are in memory; older ones are read from the database.
import type { ChainContext } from '../chain-context.ts'
import type { TradeRange, TradeSide } from '../kit/trade-range.ts'
import { poolTrades } from '../kit/trades/pool-trades.ts'
import { spotTrades } from '../kit/trades/spot-trades.ts'
import type { Trade as TradeOfMarket } from '../kit/trades/trade.ts'
import type { MarketState } from '../live-market/model.ts'
import { readTogether } from '../live-market/together.ts'
import type { FeedMarket } from './market.ts'
import type { MergedPart } from './merge.ts'
import type { Trade } from './packed-trades.ts'
import type { RecentTrades } from './recent-trades.ts'

/** `buy`: base left the pool or the book. The id is `<chain>:<swap|match>:<global sequence>`. */
export interface FeedTrade extends TradeOfMarket {
  tickerId: string
  poolId: string
}

interface Placed {
  trade: FeedTrade
  sequence: bigint
}

/** Trades of some parts of one chain, as of one block. */
interface Found {
  chain: string
  /** Id of the block. */
  block: string
  trades: Placed[]
}

/** Reads take milliseconds and blocks come twice a second, so a second attempt is rare. */
const ATTEMPTS = 3

/** Returns the recent trades of a chain. */
export type RecentOf = (context: ChainContext) => RecentTrades

/**
 * The newest trades of some markets, oldest first. Trades of one chain are as of one block, unless blocks keep arriving
 * between the reads.
 *
 * @param parts     markets, each in its own orientation or reversed
 * @param tickerId  ticker id of the answer's trades
 * @throws HttpError 503 when a market and the database never are at the same block
 */
export async function feedTrades(
  parts: readonly MergedPart[],
  tickerId: string,
  range: TradeRange,
  recentOf: RecentOf,
): Promise<FeedTrade[]> {
  let found = await findTrades(parts, tickerId, range, recentOf)
  // A client that continues after the newest trade would miss an older trade of a market that was read at an earlier
  // block.
  for (let attempt = 1; attempt < ATTEMPTS && !areOfOneBlock(found); attempt++)
    found = await findTrades(parts, tickerId, range, recentOf)
  return found
    .flatMap(({ trades }) => trades)
    .sort(
      (x, y) => y.trade.time - x.trade.time || compare(y.sequence, x.sequence) || (x.trade.id < y.trade.id ? -1 : 1),
    )
    .slice(0, range.limit)
    .map(({ trade }) => trade)
    .reverse()
}

async function findTrades(
  parts: readonly MergedPart[],
  tickerId: string,
  range: TradeRange,
  recentOf: RecentOf,
): Promise<Found[]> {
  await Promise.all(groupsOf(parts, kindOf).map((group) => bring(group, recentOf)))
  const others: MergedPart[] = []
  const found: Found[] = []
  for (const part of parts) {
    const { type, id, chain, context, poolId } = part.market
    const trades = recentOf(context).find(type, id, seenFrom(part, range))
    if (trades === null) {
      others.push(part)
      continue
    }
    const { at } = context.market.state as MarketState
    found.push({ chain, block: at.id, trades: trades.map((trade) => placed(trade, poolId, part, tickerId)) })
  }
  found.push(...(await Promise.all(groupsOf(others, statementOf).map((group) => read(group, tickerId, range)))))
  return found
}

/** Whether all results of each chain are of one block. */
function areOfOneBlock(found: readonly Found[]): boolean {
  const blocks = new Map(found.map(({ chain, block }) => [chain, block]))
  return found.every(({ chain, block }) => blocks.get(chain) === block)
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

/** Pools of one chain and one direction share one statement. */
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

async function read(group: readonly MergedPart[], tickerId: string, range: TradeRange): Promise<Found> {
  const first = group[0] as MergedPart
  const { context, type, chain, id, poolId } = first.market
  const own = seenFrom(first, range)
  if (type === 'orderbook') {
    const { read } = await readTogether(context, () => spotTrades(context.pool, context.chain, id, own))
    return { chain, block: read.at.id, trades: read.rows.map((trade) => placed(trade, poolId, first, tickerId)) }
  }
  const ids = group.map(({ market }) => market.id)
  const { read } = await readTogether(context, () => poolTrades(context.pool, context.chain, ids, own))
  const trades = read.rows.map((trade) => placed(trade, `${chain}:amm:${trade.poolId}`, first, tickerId))
  return { chain, block: read.at.id, trades }
}

/** The range in the market's own orientation. */
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

/** The parts of a plain ticker are never reversed. */
export function asTheyAre(markets: readonly FeedMarket[]): MergedPart[] {
  return markets.map((market) => ({ market, isReversed: false }))
}

function other(side: TradeSide): TradeSide {
  return side === 'buy' ? 'sell' : 'buy'
}

function compare(x: bigint, y: bigint): number {
  return x < y ? -1 : x > y ? 1 : 0
}
