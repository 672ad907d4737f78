// Trades of an order-book market.
import { toNumber, UNIT_PRICE_DECIMALS } from '../numbers.ts'
import { type Page, type Queryable, readPage } from '../snapshot.ts'
import { type TradeRange, type TradeSide, timeParameters } from '../trade-range.ts'
import { MARKET_TRADES, NEWEST_DEALS } from './sql.ts'

export interface SpotTrade {
  /** Global sequence of the match. */
  id: string
  marketId: string
  side: TradeSide
  /** Target per base. */
  price: number
  baseVolume: number
  targetVolume: number
  /** Unix milliseconds. */
  time: number
  trxId: string
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
export async function spotTrades(
  database: Queryable,
  chain: string,
  marketId: number,
  range: TradeRange,
): Promise<Page<SpotTrade> | null> {
  const match = range.type === undefined ? null : MATCHES[range.type]
  const values = [chain, marketId, match, ...timeParameters(range), range.limit]
  const page = await readPage<Row>(database, { name: 'market-trades', text: MARKET_TRADES, values }, 'id')
  return page && { at: page.at, rows: page.rows.map(spotTrade) }
}

/**
 * The newest trades of each of several markets.
 *
 * @param most  limit for each market
 * @returns newest first; null when the chain is not indexed
 */
export async function newestSpotTrades(
  database: Queryable,
  chain: string,
  marketIds: readonly number[],
  most: readonly number[],
): Promise<Page<SpotTrade> | null> {
  const statement = { name: 'newest-market-trades', text: NEWEST_DEALS, values: [chain, marketIds, most] }
  const page = await readPage<Row>(database, statement, 'id')
  return page && { at: page.at, rows: page.rows.map(spotTrade) }
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
