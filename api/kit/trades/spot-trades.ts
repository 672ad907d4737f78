// Trades of an order-book market.
import { toNumber, UNIT_PRICE_DECIMALS } from '../numbers.ts'
import type { Page, Queryable } from '../snapshot.ts'
import { type TradeRange, type TradeSide, timeParameters } from '../trade-range.ts'
import { MARKET_TRADES, NEWEST_DEALS } from './sql.ts'
import { readTrades, type Trade } from './trade.ts'

export interface SpotTrade extends Trade {
  marketId: string
}

interface Row {
  id: string
  marketId: string
  /** Unix seconds. */
  time: number
  type: string
  unitPrice: string
  amountBase: string
  amountTarget: string
  decimalsBase: number
  decimalsTarget: number
  trxId: string
}

const MATCHES: Record<TradeSide, string> = { buy: 'buymatch', sell: 'sellmatch' }

/** @returns trades, newest first; null when the chain is not indexed */
export function spotTrades(
  database: Queryable,
  chain: string,
  marketId: number,
  range: TradeRange,
): Promise<Page<SpotTrade> | null> {
  const match = range.type === undefined ? null : MATCHES[range.type]
  const values = [chain, marketId, match, ...timeParameters(range), range.limit]
  return readTrades(database, { name: 'market-trades', text: MARKET_TRADES, values }, spotTrade)
}

/**
 * The newest trades of each of several markets.
 *
 * @param limits  maximum number of trades of each market, in the order of `marketIds`
 * @returns newest first; null when the chain is not indexed
 */
export function newestSpotTrades(
  database: Queryable,
  chain: string,
  marketIds: readonly number[],
  limits: readonly number[],
): Promise<Page<SpotTrade> | null> {
  const statement = { name: 'newest-market-trades', text: NEWEST_DEALS, values: [chain, marketIds, limits] }
  return readTrades(database, statement, spotTrade)
}

function spotTrade(row: Row): SpotTrade {
  return {
    id: row.id,
    marketId: row.marketId,
    side: row.type === MATCHES.buy ? 'buy' : 'sell',
    price: toNumber(row.unitPrice, UNIT_PRICE_DECIMALS),
    baseVolume: toNumber(row.amountBase, row.decimalsBase),
    targetVolume: toNumber(row.amountTarget, row.decimalsTarget),
    time: row.time * 1000,
    trxId: row.trxId,
  }
}
