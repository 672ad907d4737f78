/**
 * Column by which most queries select rows of a dataset. It comes before the order of the chain in files and tables, so
 * that an engine reads the rows of one pool, market or token without decoding all others.
 */
export const CLUSTERS: Readonly<Record<string, string>> = {
  swaps: 'pool_id',
  position_events: 'pool_id',
  protocol_fees: 'pool_id',
  deals: 'market_id',
  order_events: 'market_id',
  transfers: 'token_id',
}
