// Operations of the cross-chain feed. Every host gives the same answers; the feed's own host omits the path's prefix.
import { failure, type Operations } from './operation.ts'

const feed = '/api/v3/feed'
const MERGED = 'One market for each pair of assets, whatever chains and pools it is traded in.'
const LISTED = 'Pools and order books that hold at least 1,000 USD, without scam-listed tokens.'
const noTicker = (path: string, ticker = 'none') =>
  failure(404, 'The feed has no such ticker.', `${feed}/${path}?ticker_id=${ticker}`)
const NO_BOOK = 'The ticker has no order book: only pools trade it.'
const missing = (path: string) => failure(400, 'The ticker id is missing.', `${feed}/${path}`)

export const FEED: Operations = {
  [`GET ${feed}/pairs`]: { id: 'getFeedPairs', about: LISTED, ask: `${feed}/pairs` },
  [`GET ${feed}/tickers`]: {
    id: 'getFeedTickers',
    about: `${LISTED} \`bid\` and \`ask\` come from order books. Several pools may share a ticker id: \`pool_id\` tells them apart.`,
    ask: `${feed}/tickers`,
  },
  [`GET ${feed}/orderbook`]: {
    id: 'getFeedOrderBook',
    about: '`depth` counts both sides together: 100 is 50 bids and 50 asks; 0 is the whole book.',
    ask: `${feed}/orderbook?ticker_id={feedBook}&depth=4`,
    failures: [
      missing('orderbook'),
      failure(400, NO_BOOK, `${feed}/orderbook?ticker_id={feedPool}`),
      noTicker('orderbook'),
    ],
  },
  [`GET ${feed}/historical_trades`]: {
    id: 'getFeedTrades',
    about: 'Swaps of the pair’s pools and deals of its order book together, oldest first.',
    ask: `${feed}/historical_trades?ticker_id={feedBook}&limit=2`,
    failures: [missing('historical_trades'), noTicker('historical_trades')],
  },
  [`GET ${feed}/cmc/pairs`]: { id: 'getMergedPairs', about: MERGED, ask: `${feed}/cmc/pairs` },
  [`GET ${feed}/cmc/tickers`]: {
    id: 'getMergedTickers',
    about: `${MERGED} Volumes and liquidity are sums; price and link are those of the most liquid pool, \`bid\` and \`ask\` of the most liquid order book.`,
    ask: `${feed}/cmc/tickers`,
  },
  [`GET ${feed}/cmc/orderbook`]: {
    id: 'getMergedOrderBook',
    ask: `${feed}/cmc/orderbook?ticker_id={mergedBook}&depth=4`,
    failures: [missing('cmc/orderbook'), noTicker('cmc/orderbook')],
  },
  [`GET ${feed}/cmc/historical_trades`]: {
    id: 'getMergedTrades',
    about: 'Each trade names its own pool.',
    ask: `${feed}/cmc/historical_trades?ticker_id={mergedBook}&limit=2`,
    failures: [missing('cmc/historical_trades'), noTicker('cmc/historical_trades')],
  },
  [`GET ${feed}/cmc/summary`]: { id: 'getMergedSummary', ask: `${feed}/cmc/summary` },
  [`GET ${feed}/cmc/assets`]: { id: 'getMergedAssets', ask: `${feed}/cmc/assets` },
  [`GET ${feed}/cmc/ticker`]: { id: 'getMergedTickersByPair', ask: `${feed}/cmc/ticker` },
  [`GET ${feed}/cmc/orderbook/{pair}`]: {
    id: 'getMergedOrderBookOf',
    ask: `${feed}/cmc/orderbook/{mergedBook}?depth=4`,
    failures: [failure(404, 'The feed has no such pair.', `${feed}/cmc/orderbook/none`)],
  },
  [`GET ${feed}/cmc/trades/{pair}`]: {
    id: 'getMergedTradesOf',
    ask: `${feed}/cmc/trades/{mergedBook}?limit=2`,
    failures: [failure(404, 'The feed has no such pair.', `${feed}/cmc/trades/none`)],
  },
  [`GET ${feed}/status`]: { id: 'getFeedStatus', ask: `${feed}/status` },
  [`GET ${feed}/check`]: {
    id: 'getFeedViolations',
    about: '`violations` is empty when no market breaks a rule.',
    ask: `${feed}/check`,
  },
}
